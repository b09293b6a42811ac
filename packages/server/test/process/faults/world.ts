import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { type Answer, askAgainMs, type Caller, callerOf, isGone } from '../caller.ts';
import { listen, type Listening } from '../listening.ts';
import { oneCompany } from '../one-company.ts';

/** What workflows did outside, in the order in which it was done. */
export interface Deed {
  /** `placed` and `paid` of an order, `heard` of a message. */
  readonly step: string;
  /** The order, or the user. */
  readonly of: string;
  /** The receipt, or the text. */
  readonly what: string;
  readonly key: string;
}

/** The outside of the workflows: it writes down all that reaches it. */
export interface Ledger extends Listening {
  readonly deeds: readonly Deed[];
}

export async function openLedger(): Promise<Ledger> {
  const deeds: Deed[] = [];
  const listening = await listen((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const deed = JSON.parse(body) as Omit<Deed, 'key'>;
      deeds.push({ ...deed, key: String(incoming.headers['idempotency-key']) });
      outgoing.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
  });
  return { ...listening, deeds };
}

const tell = (id: string, url: string, body: JsonObject): JsonObject => ({ id, type: 'api', data: { method: 'POST', url, body } });

/** An order that is placed, paid by one of many requests, and told of each time; and users of whose messages each is told of. */
export const faultsWorkspace = (ledger: string): JsonObject =>
  oneCompany('secret', [
    {
      schemaVersion: 1,
      id: 'order',
      name: 'Order',
      nodes: [
        {
          id: 'hook',
          type: 'webhook',
          data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId', oneTimeOnly: true },
        },
        tell('placed', `http://${ledger}/`, { step: 'placed', of: '{{$webhook.order.body.number}}', what: '' }),
        { id: 'payment', type: 'wait-external', data: { timeout: 'P3D' } },
        tell('paid', `http://${ledger}/`, { step: 'paid', of: '{{$context.executionId}}', what: '{{$webhook.order.body.receipt}}' }),
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'hook', sourceHandle: 'new', target: 'placed' },
        { source: 'placed', sourceHandle: 'success', target: 'payment' },
        { source: 'payment', sourceHandle: 'resumed', target: 'paid' },
        { source: 'paid', sourceHandle: 'success', target: 'done' },
      ],
    },
    {
      schemaVersion: 1,
      id: 'hear',
      name: 'Hear',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        tell('heard', `http://${ledger}/`, { step: 'heard', of: '{{$user.id}}', what: '{{$message.text}}' }),
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'heard' },
        { source: 'heard', sourceHandle: 'success', target: 'done' },
      ],
    },
  ]);

/** An order as its callers know it: which receipts were taken, and which were told that another was. */
export interface Order {
  readonly number: string;
  executionId?: string;
  readonly taken: string[];
  readonly ignored: string[];
}

/** What callers were promised. */
export interface Promised {
  readonly orders: readonly Order[];
  /** Texts by user, in the order in which they were answered. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Answers that are none of those that a caller may expect. */
  readonly odd: readonly string[];
}

/** Callers that call the processes by turns, and repeat under the same id what had no answer (P2, P10). */
export interface Load {
  /** How many calls were answered for good. */
  answered(): number;
  /** Lets each caller end what it has begun. */
  stop(): Promise<Promised>;
}

/** How long a caller waits for an answer before it asks the other process. */
const patienceMs = 3_000;

/** Accepting is faster than answering: what is behind must not grow without end. */
const betweenTextsMs = 80;

/** @param urls - where the processes are by now */
export function startLoad(urls: () => readonly string[], callers: number): Load {
  const orders: Order[] = [];
  const texts = new Map<string, string[]>();
  const odd: string[] = [];
  let answered = 0;
  let isOver = false;

  /** Asks one process after the other until one answers for good. */
  const insist = async (first: number, call: (caller: Caller) => Promise<Answer>): Promise<Answer> => {
    for (let turn = first; ; turn += 1) {
      const all = urls();
      const url = all[turn % all.length];
      const asking =
        url === undefined ? undefined : call(callerOf(url)).catch((error: unknown) => (isGone(error) ? undefined : Promise.reject(error)));
      const answer = await Promise.race([asking, pause(patienceMs, undefined, { ref: false })]);
      if (answer?.status === 200) {
        answered += 1;
        return answer;
      }
      // 409: the step before is under way.
      if (answer !== undefined && answer.status !== 503 && answer.status !== 409) odd.push(`${answer.status} ${answer.text}`);
      await pause(askAgainMs);
    }
  };

  const order = async (turn: number): Promise<void> => {
    const number = `O${orders.length}`;
    const one: Order = { number, taken: [], ignored: [] };
    orders.push(one);
    const user = String(5_215_500_000_000 + orders.length);
    const started = await insist(turn, (caller) => caller.hook('order/web/hook', { user, number }, { 'webhook-id': `start-${number}` }));
    const { executionId } = started.body as { readonly executionId: string };
    one.executionId = executionId;
    const pay = async (receipt: string, first: number): Promise<void> => {
      const paid = await insist(first, (caller) =>
        caller.hook('order/web/hook', { executionId, receipt }, { 'webhook-id': `${receipt}-${number}` }),
      );
      ((paid.body as { readonly ignored?: true }).ignored === true ? one.ignored : one.taken).push(receipt);
    };
    await Promise.all([pay('a', turn), pay('b', turn + 1)]);
  };
  const ordering = async (turn: number): Promise<void> => {
    for (let round = turn; !isOver; round += 1) await order(round);
  };
  const writing = async (index: number): Promise<void> => {
    const user = { id: `59399999900${index}` };
    const said: string[] = [];
    texts.set(user.id, said);
    for (let round = 0; !isOver; round += 1) {
      const id = `${user.id}-${round}`;
      const event = {
        eventId: id,
        botId: 'bot_web',
        user,
        message: { id, type: 'text', text: `text ${round}` },
        receivedAt: '2026-01-01T00:00:00Z',
      };
      await insist(round, (caller) => caller.deliver('bot_web', event, 'secret'));
      said.push(`text ${round}`);
      await pause(betweenTextsMs);
    }
  };
  const working = Promise.all(Array.from({ length: callers }, (_, index) => [ordering(index), writing(index)]).flat());
  return {
    answered: () => answered,
    async stop() {
      isOver = true;
      await working;
      return { orders, texts, odd };
    },
  };
}
