// Values that an agent withholds, sought wherever they might leave it: with its model and its MCP server, in the log, in metrics, in the
// record of acts, in what its history keeps of both, in its transcript, with subscribers of events, in an export and in errors, on a form that
// shows what was said, with a coding agent that reads the execution, and where the company goes on after it has moved.
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isJsonObject } from '@hilo/engine/contract';
import type { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../../../drivers/test/local-servers.ts';
import { answerForm, exchangeMs } from '../../src/channels/flow-exchange.ts';
import { createApp } from '../../src/service/app.ts';
import { asking } from '../contacts/erasure-stage.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { requireBot } from '../../src/tenants/companies.ts';
import { MoveCommand, performMove } from '../../src/tenants/moving/move-files.ts';
import { runtimeOfTests } from '../data/runtime.ts';
import { canary, readableIn } from '../process/canaries/secrets.ts';

/** Each is withheld: a text of the canvas, one in a list, a number, and the user's own. */
const withheld = { pin: canary('pin'), note: canary('note'), card: '4929123456781234', phone: '5215512345678' };

const agent = (host: string): JsonObject => ({
  model: { baseUrl: `http://${host}/v1`, name: 'small' },
  instructions: 'Help.',
  facts: {
    pin: '{{$context.pin}}',
    notes: '{{$context.notes}}',
    card: 'It is {{$context.card}}',
    user: '{{$user.id}}',
    address: '{{encodeURIComponent($context.pin)}}',
  },
  tools: [
    {
      kind: 'mcp',
      name: 'find',
      description: 'Finds an order',
      url: `http://${host}/mcp`,
      tool: 'find',
      schema: { type: 'object', properties: { about: { type: 'string' }, owner: { type: 'string' } } },
      with: { owner: '{{$context.pin}} {{$user.id}}' },
      readOnly: true,
    },
    {
      kind: 'workflow',
      name: 'keep',
      description: 'Keeps an order',
      workflowId: 'keeper',
      inputs: { about: { type: 'text' } },
      with: { pin: '{{$context.pin}}', user: '{{$user.id}}' },
      risk: 'read',
    },
  ],
  exits: [{ name: 'done', when: 'They are content.', fields: { text: { type: 'text' } } }],
  saveAs: '$context.exit',
  transcriptAs: '$context.talk',
  withhold: ['$context.pin', '$context.notes', '$context.card', '$user.id'],
});

const canvas = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'helper',
  name: 'Helper',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'secrets',
      type: 'set',
      data: {
        mask: true,
        assignments: [
          { path: '$context.pin', value: withheld.pin },
          { path: '$context.notes', value: ['none', withheld.note] },
          { path: '$context.card', value: Number(withheld.card) },
        ],
      },
    },
    { id: 'talk', type: 'agent', data: agent(host) },
    { id: 'note', type: 'log', data: { name: 'talked', data: { talk: '{{$context.talk ?? []}}' } } },
    { id: 'shout', type: 'send-event', data: { name: 'talked', payload: '{{$context.pin}} of {{$user.id}}' } },
    { id: 'form', type: 'ask', data: formWith('{{join(($context.talk ?? []).map(part, part.text), " / ")}}') },
    { id: 'stop', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'secrets' },
    { source: 'secrets', target: 'talk' },
    ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'note' })),
    { source: 'note', target: 'shout' },
    ...['next', 'error'].map((sourceHandle) => ({ source: 'shout', sourceHandle, target: 'form' })),
    ...['answered', 'invalid', 'error', 'windowClosed'].map((sourceHandle) => ({ source: 'form', sourceHandle, target: 'stop' })),
  ],
});

/** A form that shows what was said, and whose screens know what is withheld. */
const formWith = (talk: string): JsonObject => ({
  message: { type: 'flow', text: `Is it right? ${talk}`, parameters: { flow_id: '1234567890', flow_cta: 'Look' } },
  input: {
    kind: 'form',
    fields: { right: { type: 'boolean' } },
    exchange: { workflowId: 'screens', context: { pin: '{{$context.pin}}', notes: '{{$context.notes}}' } },
  },
  attempts: 1,
});

/** What gets values of another execution otherwise than by its call: a screen of a form, and whoever waits for an event. Nor do they withhold. */
const others: readonly JsonObject[] = [
  {
    schemaVersion: 1,
    id: 'screens',
    name: 'Screens',
    kind: 'tool',
    settings: { inputs: { context: { type: 'object' }, user: { type: 'object' } } },
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      {
        id: 'look',
        type: 'set',
        data: { assignments: [{ path: '$context.seen', value: '{{$input.context.pin}} of {{$input.user.id}}' }] },
      },
      { id: 'stop', type: 'end', data: { outputs: { screen: 'PIN', data: { seen: '{{$context.seen}}' } } } },
    ],
    edges: [
      { source: 'begin', target: 'look' },
      { source: 'look', target: 'stop' },
    ],
  },
  {
    schemaVersion: 1,
    id: 'listener',
    name: 'Listener',
    kind: 'tool',
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      { id: 'hear', type: 'wait-event', data: { name: 'talked', saveAs: '$context.heard' } },
      { id: 'stop', type: 'end', data: { outputs: { heard: 'Heard {{$context.heard ?? ""}}' } } },
    ],
    edges: [
      { source: 'begin', target: 'hear' },
      ...['received', 'timeout', 'interrupted', 'error'].map((sourceHandle) => ({ source: 'hear', sourceHandle, target: 'stop' })),
    ],
  },
];

/** A workflow of the company, which gets withheld values as its inputs. It withholds nothing itself. */
const keeper: JsonObject = {
  schemaVersion: 1,
  id: 'keeper',
  name: 'Keeper',
  kind: 'tool',
  settings: { inputs: { about: { type: 'string' }, pin: { type: 'string' }, user: { type: 'string' } } },
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.kept', value: 'Kept {{$input.pin}} of {{$input.user}}' }] } },
    { id: 'stop', type: 'end', data: { outputs: { kept: '{{$context.kept}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'keep' },
    { source: 'keep', target: 'stop' },
  ],
};

/** Every withheld value, as whoever would give it away writes it. */
const everything = JSON.stringify({ ...withheld, escaped: JSON.stringify(withheld), address: encodeURIComponent(withheld.pin) });

/** How the conversation ends, and whether it moves to another service in its middle. */
type Ending = 'exit' | 'failure' | 'exit elsewhere';

/** What the model answers in turn: it calls the server, repeats all that it was told and more, and at last leaves or fails. */
function modelAnswers(told: string, ending: Ending): readonly JsonObject[] {
  const calls = (name: string, input: object): JsonObject => ({
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  });
  return [
    calls('find', { about: '[[v1]] [[v2]] [[v3]] [[v4]]' }),
    calls('find', { about: `${told} ${everything}` }),
    calls(`find ${withheld.pin}`, {}),
    calls('keep', { about: '[[v1]]' }),
    { content: `You are [[v1]] with [[v3]] ${withheld.note}` },
    ...(ending !== 'failure' ? [calls('exit_done', { text: 'All is said.' })] : []),
  ];
}

/** A model and an MCP server in one, which repeats all that it is not to know. */
async function startOthers(ending: Ending) {
  const [heard, told]: [string[], string[]] = [[], []];
  const turns = modelAnswers('Facts', ending);
  let turn = 0;
  const answer = (body: string): JsonObject => {
    heard.push(body);
    const { method, id, params } = JSON.parse(body) as { readonly method?: string; readonly id?: number; readonly params?: JsonObject };
    if (method === undefined) {
      const message = turns[(turn += 1) - 1];
      if (message === undefined) return { error: { message: everything } };
      return {
        id: 'c',
        created: 1,
        model: 'small',
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
      };
    }
    const server = {
      protocolVersion: params?.['protocolVersion'] ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    const result = method === 'initialize' ? server : { content: [{ type: 'text', text: everything }], isError: turn > 1 };
    return method === 'initialize' || method === 'tools/call'
      ? { jsonrpc: '2.0', id: id ?? 0, result }
      : { jsonrpc: '2.0', id: id ?? 0, error: { code: -32601, message: 'No such method' } };
  };
  const server = await startHttp(({ url, body }, response: ServerResponse) => {
    if (url === '/hook') {
      told.push(body);
      return void response.writeHead(204).end();
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(body === '' ? '{"method":"none"}' : body)));
  });
  return { server, heard, told };
}

/** What a history keeps of questions to models and servers. Their answers are kept as they came: an execution is replayed by them. */
const requestsOf = (entries: readonly Json[]): readonly Json[] =>
  entries.flatMap((entry) => {
    const { effect = null } = isJsonObject(entry) ? entry : {};
    if (!isJsonObject(effect) || (effect['type'] !== 'model.ask' && effect['type'] !== 'mcp.call')) return [];
    return [effect['request'] ?? null];
  });

const found = (value: unknown): readonly string[] =>
  readableIn(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), withheld);

/**
 * Lets everything come to rest while time passes, for the pause before another call of a model: slowly enough that no call runs out of
 * time, which other threads of a busy machine work for.
 */
async function settle({ engine }: RunningService, { clock }: Place): Promise<void> {
  const turning = setInterval(() => clock.advanceBy(100), 5);
  await engine.whenIdle().finally(() => clearInterval(turning));
}

const bot = { id: 'bot_wa', name: 'Bot', channel: 'whatsapp', connectedAt: '2025-01-01T00:00:00Z', provider: { kind: 'log' } };

/** The company with the agent, and a subscriber to whatever happens to executions. */
const workspaceWith = (host: string): JsonObject => ({
  companies: [
    {
      id: 1,
      name: 'Acme',
      plan: 'growth',
      bots: [bot],
      workflows: [keeper, ...others, canvas(host)].map((one) => ({ canvas: one, publish: true })),
      eventSubscriptions: [
        { id: 'sub', url: `http://${host}/hook`, events: ['execution.*'], secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}` },
      ],
    },
  ],
});

/** What the user writes: the first message begins, the second says what is withheld and asks for a mark. */
const said = ['hi', `My PIN is ${withheld.pin}, and what is [[v2]]?`, 'What form?'];

async function say(service: RunningService, place: Place, index: number): Promise<void> {
  const message = { id: `m${index}`, type: 'text', text: said[index] ?? '' };
  await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: `e${index}`, user: { id: withheld.phone }, message });
  await settle(service, place);
}

/** Asks for a screen of the form that is open, and writes something else than its answer. */
async function askForScreen(service: RunningService, place: Place): Promise<void> {
  const { body } = await asking(service)('GET', '/bots/bot_wa/messages?companyId=1');
  const sent = body['results'] as readonly { readonly messageId: string; readonly message: Json }[];
  const { messageId = '' } = sent.find(({ message }) => JSON.stringify(message).includes('Is it right?')) ?? {};
  const bot = requireBot(service, '1', 'bot_wa');
  const question = { action: 'INIT', screen: null, data: {} };
  const answer = await answerForm(service, bot, 'screens', messageId, question, place.clock.now() + exchangeMs);
  expect(answer).toMatchObject({ kind: 'answered', outputs: { screen: 'PIN' } });
  await say(service, place, 2);
}

/** Does it, while time passes. */
async function move({ moves }: RunningService, { clock }: Place, command: z.input<typeof MoveCommand>): Promise<void> {
  const turning = setInterval(() => clock.advanceBy(100), 5);
  await performMove(moves, MoveCommand.parse(command)).finally(() => clearInterval(turning));
}

/** What a coding agent is answered by a tool. */
const callTool =
  (app: ReturnType<typeof createApp>) =>
  async (name: string, input: JsonObject): Promise<string> => {
    const answer = await app.request('http://localhost/admin/v1/mcp?companyId=1', {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    });
    return answer.text();
  };

const endings: readonly Ending[] = runtimeOfTests === 'restate' ? ['exit', 'failure'] : ['exit', 'failure', 'exit elsewhere'];

describe('what an agent withholds', () => {
  it.each(endings)('is with nobody who is not to have it, when it ends with an %s', async (ending) => {
    const { server, heard, told } = await startOthers(ending);
    const settings = async () => ({ egressAllow: [server.host], secretKey: Buffer.alloc(32, 7).toString('base64') });
    /** Seeks in everything that the service shows. */
    const check = async (service: RunningService, place: Place): Promise<void> => {
      await askForScreen(service, place);
      const ask = asking(service);
      const { body: listed } = await ask('GET', '/executions?companyId=1');
      const executions = listed['results'] as readonly { executionId: string; workflowId: string; status: string }[];
      const { executionId = '', status } = executions.find(({ workflowId }) => workflowId === 'helper') ?? {};
      const idOf = (workflow: string): string => executions.find(({ workflowId }) => workflowId === workflow)?.executionId ?? '';
      expect(status).toBe('completed');
      expect(heard.length).toBeGreaterThan(ending === 'failure' ? 5 : 8);

      const { body: execution } = await ask('GET', `/executions/${executionId}?companyId=1`);
      const { body: history } = await ask('GET', `/executions/${executionId}/history?companyId=1`);
      const entries = history['entries'] as readonly Json[];
      const { $context } = execution['variables'] as { readonly $context: JsonObject };
      const messages = await ask('GET', '/bots/bot_wa/messages?companyId=1');
      const forms = (messages.body['results'] as readonly { readonly message: Json }[])
        .map(({ message }) => message)
        .filter((one) => JSON.stringify(one).includes('Is it right?'));
      const app = createApp({ ...service, authorize: () => ({ name: 'luz', can: ['view'], companies: 'all' }) });
      const page = async (path: string): Promise<string> =>
        (await app.request(`http://localhost${path}`, { headers: { authorization: 'Bearer x' } })).text();
      const tool = callTool(app);
      const refused = await ask('POST', `/executions/${executionId}/migrate?companyId=1`, { to: 99 });
      const shown = {
        others: heard,
        log: place.log.lines,
        history: requestsOf(entries),
        transcript: $context['talk'],
        // What its screens know is kept with the message, for them, and sent to nobody.
        forms: JSON.stringify(forms, (name, value: unknown) => (name === 'exchange' ? null : value)),
        acts: (await ask('GET', '/audit?companyId=1')).body,
        rows: await tool('search_executions', {}),
        answered: await tool('read_execution', { executionId }),
        child: await tool('read_execution', { executionId: idOf('keeper') }),
        screen: await tool('read_execution', { executionId: idOf('screens') }),
        listener: await tool('read_execution', { executionId: idOf('listener') }),
        errors: [refused.body, await tool('read_execution', { executionId: `${executionId}x` })],
        metrics: await page('/metrics'),
        // Whose they are is told to the company itself, which has that of its users; its canvas has the other values, as its author wrote them.
        export: JSON.stringify(await service.exportWorkspace(), (name, value: unknown) => (name === 'workflows' ? null : value)).replaceAll(
          withheld.phone,
          'USER',
        ),
        events: told.join().replaceAll(withheld.phone, 'USER'),
      };
      const none = Object.fromEntries(Object.keys(shown).map((where) => [where, []]));
      expect(Object.fromEntries(Object.entries(shown).map(([where, value]) => [where, found(value)]))).toEqual(none);

      expect(shown.history.length).toBeGreaterThan(5);
      expect(JSON.stringify($context['talk'])).toContain('[[v1]]');
      expect(shown.answered).toContain('[[v1]]');
      expect(shown.answered).toContain('model.ask');
      expect(shown.child).toContain('Kept [[v');
      expect(shown.screen).toContain('[[v');
      expect(shown.listener).toContain('[[v');
      expect(shown.rows).toContain(executionId);
      expect(JSON.stringify(forms)).toContain('[[v1]]');
      expect(shown.metrics).toContain('hilo_');
      expect(shown.events).toContain('execution.ended');
      expect(shown.export).toContain('bot_wa');
    };

    await withPlace(async (place) => {
      const service = await place.open();
      await service.importWorkspace({ workspace: workspaceWith(server.host) });
      await service.engine.startWorkflow({ origin: { companyId: '1', route: 'production' }, workflowId: 'listener' });
      await say(service, place, 0);
      if (ending !== 'exit elsewhere') {
        await say(service, place, 1);
        return check(service, place);
      }
      await withPlace(async (there) => {
        const [file, other] = [join(place.directory, 'company'), await there.open()];
        await move(service, place, { do: 'out', companyId: '1', file });
        await move(other, there, { do: 'in', file });
        await say(other, there, 1);
        await check(other, there);
      }, settings)();
    }, settings)();
    await server.close();
  });
});
