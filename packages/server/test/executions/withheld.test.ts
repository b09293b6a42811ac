// Values that an agent withholds, sought wherever they might leave it: with its model and its MCP server, in the log, in metrics, in the
// record of acts, in what its history keeps of both, in its transcript, and with a coding agent that reads the execution.
import type { ServerResponse } from 'node:http';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isJsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../../../drivers/test/local-servers.ts';
import { createApp } from '../../src/service/app.ts';
import { asking } from '../contacts/erasure-stage.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
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
    { id: 'stop', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'secrets' },
    { source: 'secrets', target: 'talk' },
    ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'note' })),
    { source: 'note', target: 'stop' },
  ],
});

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

/** What the model answers in turn: it calls the server, repeats all that it was told and more, and at last leaves or fails. */
function modelAnswers(told: string, ending: 'exit' | 'failure'): readonly JsonObject[] {
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
    ...(ending === 'exit' ? [calls('exit_done', { text: 'All is said.' })] : []),
  ];
}

/** A model and an MCP server in one, which repeats all that it is not to know. */
async function startOthers(ending: 'exit' | 'failure') {
  const heard: string[] = [];
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
  const server = await startHttp(({ body }, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(body === '' ? '{"method":"none"}' : body)));
  });
  return { server, heard };
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

describe('what an agent withholds', () => {
  it.each(['exit', 'failure'] as const)('is with nobody who is not to have it, when it ends with an %s', async (ending) => {
    const { server, heard } = await startOthers(ending);
    await withPlace(
      async (place) => {
        const service = await place.open();
        const bot = { id: 'bot_wa', name: 'Bot', channel: 'whatsapp', connectedAt: '2025-01-01T00:00:00Z', provider: { kind: 'log' } };
        const company = {
          id: 1,
          name: 'Acme',
          plan: 'growth',
          bots: [bot],
          workflows: [keeper, canvas(server.host)].map((one) => ({ canvas: one, publish: true })),
        };
        await service.importWorkspace({ workspace: { companies: [company] } });
        for (const [index, text] of ['hi', `My PIN is ${withheld.pin}, and what is [[v2]]?`].entries()) {
          const message = { id: `m${index}`, type: 'text', text };
          await service.engine.receiveMessage({
            companyId: '1',
            botId: 'bot_wa',
            eventId: `e${index}`,
            user: { id: withheld.phone },
            message,
          });
          await settle(service, place);
        }
        const ask = asking(service);
        const { body: listed } = await ask('GET', '/executions?companyId=1');
        const executions = listed['results'] as readonly { executionId: string; workflowId: string; status: string }[];
        const { executionId = '', status } = executions.find(({ workflowId }) => workflowId === 'helper') ?? {};
        const { executionId: childId = '' } = executions.find(({ workflowId }) => workflowId === 'keeper') ?? {};
        expect(status).toBe('completed');
        expect(heard.length).toBeGreaterThan(ending === 'exit' ? 8 : 5);

        const { body: execution } = await ask('GET', `/executions/${executionId}?companyId=1`);
        const { body: history } = await ask('GET', `/executions/${executionId}/history?companyId=1`);
        const entries = history['entries'] as readonly Json[];
        const { $context } = execution['variables'] as { readonly $context: JsonObject };
        expect({
          others: heard.flatMap(found),
          log: found(place.log.lines),
          history: requestsOf(entries).flatMap(found),
          transcript: found($context['talk']),
          acts: found((await ask('GET', '/audit?companyId=1')).body),
        }).toEqual({ others: [], log: [], history: [], transcript: [], acts: [] });
        expect(requestsOf(entries).length).toBeGreaterThan(5);
        expect(JSON.stringify($context['talk'])).toContain('[[v1]]');

        const app = createApp({ ...service, authorize: () => ({ name: 'luz', can: ['view'], companies: 'all' }) });
        const call = async (name: string, input: JsonObject): Promise<string> => {
          const answer = await app.request('http://localhost/admin/v1/mcp?companyId=1', {
            method: 'POST',
            headers: { authorization: 'Bearer x', 'content-type': 'application/json', accept: 'application/json' },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name, arguments: input },
            }),
          });
          return answer.text();
        };
        const read = (id: string): Promise<string> => call('read_execution', { executionId: id });
        const [answered, child] = [await read(executionId), await read(childId)];
        const rows = await call('search_executions', {});
        expect(answered).toContain('[[v1]]');
        expect(answered).toContain('model.ask');
        expect(child).toContain('Kept [[v');
        expect(rows).toContain(executionId);
        expect({ answered: found(answered), child: found(child), rows: found(rows) }).toEqual({ answered: [], child: [], rows: [] });
      },
      async () => ({ egressAllow: [server.host] }),
    )();
    await server.close();
  });
});
