// What a conversation with an agent costs: two calls of a model and one of a tool for each turn.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createDialer } from '../../packages/drivers/src/index.ts';
import { drive, type JsonObject, type NodeDefinition, type Outcome } from '../../packages/engine/src/contract/index.ts';
import { createEngine, parseCanvas } from '../../packages/engine/src/index.ts';
import { createMcpDriver, createModelDriver } from '../../packages/integrations/src/index.ts';
import { callFunction, sendMessage } from '../../packages/nodes/src/effects/index.ts';
import { agent, standardNodes } from '../../packages/nodes/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { diskSentence } from '../disk.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { threadWork } from '../thread-work.ts';

/** Each turn is two calls of the model and one of a tool; the last call leaves by an exit. An agent answers a hundred messages at most. */
const users = ['5215500000001', '5215500000002'];
const turnsOfEach = 60;
const calls = users.length * turnsOfEach * 2 + 1;

/** Conversations of an agent, durable on SQLite, beside a model that answers at once over HTTP on this machine. */
export async function agents(progress: Progress): Promise<Part> {
  progress.say(`an agent: ${users.length * turnsOfEach} turns`);
  await using model = await startModel();
  await talk(model.host); // compiled, and its provider loaded, as in a process that has run for a while
  const { tookMs, threadMs, ownMs, stateBytes, disk } = await talk(model.host);
  progress.clear();
  return {
    name: `An agent: ${users.length * turnsOfEach} turns with ${calls} calls of a model, on SQLite`,
    unit: 'ms',
    contestants: [
      { name: 'all turns, one after the other', median: tookMs },
      { name: 'all turns, of the processor, with the model', median: threadMs },
      { name: 'a turn', median: tookMs / (users.length * turnsOfEach) },
      { name: 'the work of the agent itself, a call', median: ownMs / calls },
    ],
    aims: [
      atMost('all turns, s', tookMs / 1_000, 5, disk),
      atMost('the work of the agent itself, ms a call', ownMs / calls, 1),
      atMost('the state of a turn at the end, kB', stateBytes / 1_000, 10),
    ],
    notes: ['A turn is answered after some five commits, each of them on the disk.'],
  };
}

/** What the conversations of one run took. */
interface Talked {
  readonly tookMs: number;
  /** The time of the processor, with the model, which works in the same thread. */
  readonly threadMs: number;
  readonly ownMs: number;
  readonly stateBytes: number;
  /** What a commit waits for, measured after the run. */
  readonly disk: string;
}

const talk = (host: string): Promise<Talked> =>
  inDirectory(async (directory) => {
    const store = await openSqliteStore({ path: join(directory, 'agents.db') });
    const dialer = createDialer({ allow: [host] });
    const work = { ms: 0 };
    let sent = 0;
    const engine = createEngine({
      nodes: standardNodes.map((node) => (node.type === agent.type ? timing(node, work) : node)),
      drivers: [
        createModelDriver({ dialer, credential: () => Promise.resolve(undefined) }),
        createMcpDriver({ dialer, credential: () => Promise.resolve(undefined) }),
        drive(sendMessage, () => ({ kind: 'sent', messageId: `m-${(sent += 1)}` }) as const),
        drive(callFunction, ({ body }) => ({ kind: 'returned', value: body }) as const),
      ],
      store,
      directory: { company: (id) => ({ id, plan: 'business', kind: 'business' }), bot: () => undefined },
    });
    try {
      const { canvas } = parseCanvas(helper(host));
      if (canvas === undefined) throw new Error('The canvas of the agent cannot be read');
      await engine.saveDraft('1', canvas);
      await engine.publish('1', canvas.id);
      const say = async (userId: string, text: string): Promise<void> => {
        const message = { id: `${userId} ${text}`, type: 'text', text };
        await engine.receiveMessage({ companyId: '1', botId: 'bot', eventId: message.id, user: { id: userId }, message });
        await engine.whenIdle();
      };
      const [beganMs, workedMs] = [performance.now(), threadWork()];
      for (const userId of users) for (let turn = 1; turn <= turnsOfEach; turn += 1) await say(userId, `is A-${turn} there?`);
      const open = await engine.company('1').executions({ status: 'waiting' });
      const states = [];
      for (const { executionId } of open.results) states.push(await store.executions.load('1', executionId));
      await say(users[0] ?? '', 'bye');
      const [tookMs, threadMs] = [performance.now() - beganMs, workedMs()];
      if (sent !== users.length * turnsOfEach) throw new Error(`The agent sent ${sent} messages`);
      const stateBytes = Math.max(...states.map((record) => Buffer.byteLength(JSON.stringify(record?.state))));
      return { tookMs, threadMs, ownMs: work.ms, stateBytes, disk: await diskSentence() };
    } finally {
      await engine.stop();
      await dialer.close();
      await store.close();
    }
  });

/** A node whose own work is counted: its visit, and what it makes of each result. */
function timing(node: NodeDefinition, work: { ms: number }): NodeDefinition {
  const timed =
    <Argument>(run: (argument: Argument) => Outcome): ((argument: Argument) => Outcome) =>
    (argument) => {
      const workedMs = threadWork();
      const outcome = run(argument);
      work.ms += workedMs();
      return outcome.kind === 'perform' ? { ...outcome, next: timed(outcome.next) } : outcome;
    };
  return { ...node, run: timed((given) => node.run(given)) };
}

/** A model that looks each question up and says what it found, at once. */
async function startModel() {
  const answer = ({ role, content }: { readonly role: string; readonly content: string }): JsonObject => {
    const call = (name: string, input: object): JsonObject => ({
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    });
    if (role === 'tool') return { content: `I looked: ${content}` };
    return content === 'bye' ? call('exit_done', {}) : call('stock', { sku: content });
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly role: string; readonly content: string }[] };
      const message: JsonObject = { role: 'assistant', ...answer(messages.at(-1) ?? { role: '', content: '' }) };
      const finish = message['tool_calls'] === undefined ? 'stop' : 'tool_calls';
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: finish }], usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An agent whose model is at this host. @param more - settings of it */
export const helper = (host: string, more: JsonObject = {}): JsonObject => ({
  schemaVersion: 1,
  id: 'helper',
  name: 'Helper',
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'help',
      type: 'agent',
      data: {
        model: { baseUrl: `http://${host}/v1`, name: 'small' },
        instructions: 'Help.',
        tools: [
          {
            kind: 'function',
            name: 'stock',
            description: 'How many are left',
            functionId: 'stock',
            inputs: { sku: { type: 'text' } },
            risk: 'read',
            timeout: 'PT5S',
          },
        ],
        exits: [{ name: 'done', when: 'They are content.' }],
        limits: { turns: 100 },
        withhold: ['$user.phone'],
        ...more,
      },
    },
    { id: 'stop', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'help' },
    ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'help', sourceHandle, target: 'stop' })),
  ],
});
