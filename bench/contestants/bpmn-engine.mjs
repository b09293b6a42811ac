// The ten nodes as a BPMN process: a service task per node, an exclusive gateway per condition. The source is parsed once.
import { Engine } from 'bpmn-engine';
import BpmnModdle from 'bpmn-moddle';
import * as elements from 'bpmn-elements';
import { default as serialize, TypeResolver } from 'moddle-context-serializer';

const task = (id) => `<serviceTask id="${id}" implementation="\${environment.services.${id}}" />`;
const flow = (source, target) => `<sequenceFlow id="${source}-${target}" sourceRef="${source}" targetRef="${target}" />`;
const when = (source, target, service) =>
  `<sequenceFlow id="${source}-${target}" sourceRef="${source}" targetRef="${target}"><conditionExpression xsi:type="tFormalExpression">\${environment.services.${service}}</conditionExpression></sequenceFlow>`;

const source = `<?xml version="1.0" encoding="UTF-8"?>
<definitions id="tenNodes" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" targetNamespace="http://bpmn.io/schema/bpmn">
  <process id="process" isExecutable="true">
    <startEvent id="hook" />
    ${['greeting', 'reference', 'shipping', 'line', 'thanks', 'text', 'send'].map(task).join('')}
    <exclusiveGateway id="large" default="large-done" /><exclusiveGateway id="gold" default="gold-done" />
    <endEvent id="done" />
    ${flow('hook', 'greeting')}${flow('greeting', 'reference')}${flow('reference', 'large')}
    ${when('large', 'shipping', 'isLarge')}${flow('large', 'done')}
    ${flow('shipping', 'line')}${flow('line', 'gold')}${when('gold', 'thanks', 'isGold')}${flow('gold', 'done')}
    ${flow('thanks', 'text')}${flow('text', 'send')}${flow('send', 'done')}
  </process>
</definitions>`;

/** @param {import('../work.ts')} work */
export async function bpmnEngine({ check, orderOf }) {
  const sink = { count: 0, last: '' };
  const set =
    (name, value) =>
    ({ environment: { variables } }, done) => {
      variables[name] = value(variables);
      done();
    };
  const services = {
    greeting: set('greeting', ({ body }) => `Hello ${body.customer.name}`),
    reference: set('reference', ({ body }) => `order ${body.id}`),
    isLarge: ({ environment }) => environment.variables.body.total > 100,
    shipping: set('shipping', ({ reference }) => `${reference} ships free`),
    line: set('line', ({ greeting, shipping }) => `${greeting}, ${shipping}`),
    isGold: ({ environment }) => environment.variables.body.customer.tier === 'gold',
    thanks: set('thanks', ({ line, body }) => `${line}. Thank you, ${body.customer.name}`),
    text: set('text', ({ thanks, reference }) => `${thanks} (${reference})`),
    send({ environment }, done) {
      sink.count += 1;
      sink.last = environment.variables.text;
      environment.output.text = environment.variables.text;
      done();
    },
  };
  const parsed = await new BpmnModdle().fromXML(source);
  const sourceContext = serialize(parsed, TypeResolver(elements));
  const execute = (body) =>
    new Promise((resolve, reject) => {
      const engine = Engine({ name: 'ten nodes', sourceContext, variables: { body }, services });
      engine.once('end', ({ environment }) => resolve(environment.output));
      engine.once('error', reject);
      void engine.execute();
    });
  return {
    async run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const { text } = await execute(orderOf(number));
        check(number, text, sink);
      }
    },
  };
}
