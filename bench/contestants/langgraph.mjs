// The ten nodes as a graph of LangGraph, compiled once: a function per node, conditional edges for the two conditions.
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

/** @param {import('../work.ts')} work */
export function langGraph({ check, orderOf }) {
  const sink = { count: 0, last: '' };
  const State = Annotation.Root(
    Object.fromEntries(['body', 'greeting', 'reference', 'shipping', 'line', 'thanks', 'text'].map((name) => [name, Annotation()])),
  );
  const graph = new StateGraph(State)
    .addNode('hook', () => ({}))
    .addNode('greet', ({ body }) => ({ greeting: `Hello ${body.customer.name}` }))
    .addNode('refer', ({ body }) => ({ reference: `order ${body.id}` }))
    .addNode('ship', ({ reference }) => ({ shipping: `${reference} ships free` }))
    .addNode('join', ({ greeting, shipping }) => ({ line: `${greeting}, ${shipping}` }))
    .addNode('thank', ({ line, body }) => ({ thanks: `${line}. Thank you, ${body.customer.name}` }))
    .addNode('write', ({ thanks, reference }) => ({ text: `${thanks} (${reference})` }))
    .addNode('send', ({ text }) => {
      sink.count += 1;
      sink.last = text;
      return {};
    })
    .addEdge(START, 'hook')
    .addEdge('hook', 'greet')
    .addEdge('greet', 'refer')
    .addConditionalEdges('refer', ({ body }) => (body.total > 100 ? 'ship' : END), ['ship', END])
    .addEdge('ship', 'join')
    .addConditionalEdges('join', ({ body }) => (body.customer.tier === 'gold' ? 'thank' : END), ['thank', END])
    .addEdge('thank', 'write')
    .addEdge('write', 'send')
    .addEdge('send', END)
    .compile();
  return {
    async run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const { text } = await graph.invoke({ body: orderOf(number) });
        check(number, text, sink);
      }
    },
  };
}
