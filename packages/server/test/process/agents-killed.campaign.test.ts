/** Agents whose service is killed between a call of a model and its answer, before and after: nothing that was answered is asked again. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startHttp } from '../../../drivers/test/local-servers.ts';
import type { ServiceProcess } from '../service-process.ts';
import { askAgainMs, type Caller, callerOf, isGone } from './caller.ts';
import { oneCompany } from './one-company.ts';
import { describeOverEachStore } from './place.ts';

/** `HILO_AGENT_KILLS=24` sets another number. */
const kills = Number(process.env['HILO_AGENT_KILLS'] ?? 6);
/** Two conversations of sixty turns: an agent has a hundred at most. Each turn is two calls, and the first leaves by an exit. */
const users = ['5215500000001', '5215500000002'];
const turns = 60;
const calls = users.length * turns * 2 + 1;
const appSecret = 'secret-of-the-bot-0123456789';

const helper = (host: string): JsonObject => ({
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
            kind: 'workflow',
            name: 'stock',
            description: 'How many are left',
            workflowId: 'stock',
            inputs: { turn: { type: 'text' } },
            risk: 'read',
          },
        ],
        exits: [{ name: 'done', when: 'They are content.' }],
        limits: { turns: 100 },
      },
    },
    { id: 'bye', type: 'message', data: { message: { type: 'text', text: 'Bye.' } } },
    { id: 'stop', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'help' },
    { source: 'help', sourceHandle: 'done', target: 'bye' },
    ...['limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'help', sourceHandle, target: 'stop' })),
    { source: 'bye', sourceHandle: 'sent', target: 'stop' },
  ],
});

const stock: JsonObject = {
  schemaVersion: 1,
  id: 'stock',
  name: 'Stock',
  kind: 'tool',
  settings: { inputs: { turn: { type: 'string' } } },
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'stop', type: 'end', data: { outputs: { left: '{{$input.turn}}' } } },
  ],
  edges: [{ source: 'begin', target: 'stop' }],
};

/** A request of a model. */
interface Asked {
  readonly key: string;
  readonly body: string;
  /** The user of the conversation. */
  readonly userId: string;
  /** How many processes had died before the one that asks began. */
  readonly deaths: number;
}

/** What the model answers: it looks each turn up, and says what it found. */
function answerTo(body: string): JsonObject {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly role: string; readonly content: string }[] };
  const { role, content } = messages.at(-1) ?? { role: '', content: '' };
  const call = (name: string, input: object): JsonObject => ({
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  });
  if (role === 'tool') return { content: `Found ${/turn \d+ of \d+/.exec(content)?.[0] ?? content}` };
  return content === 'bye' ? call('exit_done', {}) : call('stock', { turn: content });
}

function completion(message: JsonObject): JsonObject {
  const finish = message['tool_calls'] === undefined ? 'stop' : 'tool_calls';
  return {
    id: 'c',
    created: 1,
    model: 'small',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

/** The calls at which the service dies, before or after the model has answered: far from each other, so that each hits one call. */
function planDeaths(): ReadonlyMap<number, 'before' | 'after'> {
  const room = Math.floor(calls / kills);
  const drawn = Math.abs(fc.readConfigureGlobal()?.seed ?? 1);
  return new Map(
    Array.from({ length: kills }, (_, index) => [
      index * room + 2 + ((drawn >> (index % 16)) % (room - 4)),
      index % 2 === 0 ? 'before' : 'after',
    ]),
  );
}

/**
 * A model that counts, and has the service killed at the planned calls.
 *
 * @param kill - ends the process that asks
 * @param deaths - how many have ended: one that is to die may ask for another conversation meanwhile
 */
async function mortalModel(kill: () => Promise<unknown>, deaths: () => number) {
  const asked: Asked[] = [];
  const plan = planDeaths();
  const died: string[] = [];
  const firsts = new Set<string>();
  const server = await startHttp(({ headers, body }, response: ServerResponse) => {
    const key = String(headers['idempotency-key']);
    asked.push({ key, body, userId: /.* of (\d+)/s.exec(body)?.[1] ?? '', deaths: deaths() });
    const death = firsts.has(key) ? undefined : plan.get(firsts.size + 1);
    firsts.add(key);
    if (death !== undefined) died.push(death);
    if (death === 'before') return void kill();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(answerTo(body))), () => {
      if (death === 'after') void kill();
    });
  });
  return { server, asked, died, plan };
}

/** Delivers an event until it is taken: again and again, to the service that is there then. */
async function insist(caller: () => Promise<Caller>, event: JsonObject): Promise<void> {
  for (;;) {
    try {
      const { status } = await (await caller()).deliver('bot_web', event, appSecret);
      if (status === 200) return;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    await pause(askAgainMs);
  }
}

describeOverEachStore('agents of a service that is killed', (open) => {
  it(`ask a model again only where no answer was committed, in ${users.length * turns} turns with ${calls} calls (P1, P3, P4, P9)`, {
    timeout: 240_000,
  }, async () => {
    let running: Promise<ServiceProcess> | undefined;
    let restart = (): Promise<ServiceProcess> => Promise.reject(new Error('It has not begun'));
    let deaths = 0;
    const kill = async (): Promise<void> => {
      const service = await running;
      running = end(service).then(() => restart());
      await running;
    };
    /** Ends a process. What it asked before is received by then, since its connections are closed. */
    const end = async (service: ServiceProcess | undefined): Promise<void> => {
      await service?.end('SIGKILL');
      await Promise.all(server.connections.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
      deaths += 1;
    };
    const { server, asked, died, plan } = await mortalModel(kill, () => deaths);
    using place = await open(oneCompany(appSecret, [helper(server.host), stock]));
    restart = () => place.start(['--egress-allow', server.host]);
    running = restart();
    const caller = async (): Promise<Caller> => callerOf((await running)?.url ?? '');

    const say = async (userId: string, text: string): Promise<void> => {
      const id = `${userId}-${text.replaceAll(' ', '-')}`;
      const message = { id, type: 'text', text };
      await insist(caller, { eventId: id, botId: 'bot_web', user: { id: userId }, message, receivedAt: '2026-01-01T00:00:00Z' });
    };
    try {
      for (const userId of users) {
        for (let turn = 1; turn <= turns; turn += 1) await say(userId, `turn ${turn} of ${userId}`);
        if (userId === users[0]) await say(userId, 'bye');
      }
      const wanted = users.map((userId, index) => [
        ...Array.from({ length: turns }, (_, turn) => `Found turn ${turn + 1} of ${userId}`),
        ...(index === 0 ? ['Bye.'] : []),
      ]);
      const heard = async () => {
        const messages = await (await caller()).messages('bot_web').catch(() => []);
        return users.map((user) =>
          messages.flatMap(({ userId, direction, message }) => (userId === user && direction === 'outbound' ? [message.text] : [])),
        );
      };
      await expect.poll(heard, { timeout: 300_000, interval: 500 }).toEqual(wanted);

      expect(died).toEqual([...plan.values()]);
      const byKey = Map.groupBy(asked, ({ key }) => key);
      expect(byKey.size).toBe(calls);
      // Asked again is only what a conversation asked last before a death, with the same question: all before it was answered.
      const repeated = [...byKey.values()].filter(({ length }) => length > 1);
      const odd = repeated.filter(([first, second, ...more]) => {
        const last = asked.findLast(({ userId, deaths }) => userId === first?.userId && deaths === first.deaths);
        return more.length > 0 || last !== first || first?.body !== second?.body || first?.deaths === second?.deaths;
      });
      expect(odd).toEqual([]);
      expect(repeated.length).toBeGreaterThanOrEqual(died.filter((side) => side === 'before').length);

      const executions = await (await caller()).atRest('1');
      const statuses = Map.groupBy(executions, ({ workflowId }) => workflowId);
      expect(statuses.get('stock')?.map(({ status }) => status)).toEqual(Array.from({ length: users.length * turns }, () => 'completed'));
      expect(
        statuses
          .get('helper')
          ?.map(({ status }) => status)
          .toSorted(),
      ).toEqual(['completed', 'waiting']);
      // The history grows with the conversation, and not with its square.
      for (const { executionId } of statuses.get('helper') ?? [])
        expect(JSON.stringify(await (await caller()).history(executionId)).length).toBeLessThan(2_000_000);
    } finally {
      await (await running)[Symbol.asyncDispose]();
      await server.close();
    }
  });
});
