import { getPath } from '@hilo/engine/contract';
import type { Ask, Standing } from '../protocol.ts';
import { canvases, shredded, support } from './canvases.ts';
import type { ReceivedCall } from './ledger.ts';
import type { Answer, Life } from './life.ts';
import { botId, companyId, orderCall, system, users } from './names.ts';

/** A request of the client, and its answer. It is repeated unchanged in each life until it is answered. */
export interface Wish {
  readonly ask: Ask;
  /** How often it was sent. */
  asked: number;
  answer: Exclude<Answer, { readonly kind: 'lost' }> | undefined;
}

/** The outside world: users who write, systems that call, authors who publish. */
export interface Client {
  readonly wishes: readonly Wish[];
  /** Sends to this life from now on; unanswered requests of the last life at once. */
  resume(life: Life): Promise<void>;
  /** A round of everything. Resolves when all is answered, or the life is over. */
  wave(): Promise<void>;
  /** Resolves when no request is open, or the life is over. */
  whenAnswered(): Promise<void>;
  /** Pays for an order whose call was performed. */
  onReceived(call: ReceivedCall): void;
  /** Pays for orders that wait for it, and releases quarantined executions. */
  relieve(standing: readonly Standing[]): void;
}

const payers = ['first', 'second', 'third'] as const;

export function createClient(): Client {
  const wishes: Wish[] = [];
  /** Requests of one queue are sent one after the other. */
  const queues = new Map<string, Wish[]>();
  const working = new Set<Promise<void>>();
  const messages = new Map<string, number>();
  const paid = new Set<string>();
  let life: Life | undefined;
  let waves = 0;

  const work = async (queue: Wish[], at: Life): Promise<void> => {
    for (let [wish] = queue; wish !== undefined; [wish] = queue) {
      wish.asked += 1;
      const answer = await at.ask(wish.ask);
      if (answer.kind === 'lost') return;
      wish.answer = answer;
      queue.shift();
      follow(wish.ask, answer);
    }
  };
  const begin = (queue: Wish[]): void => {
    if (life === undefined) return;
    const done = work(queue, life).finally(() => working.delete(done));
    working.add(done);
  };
  const want = (queueName: string, ask: Ask): void => {
    const wish: Wish = { ask, asked: 0, answer: undefined };
    wishes.push(wish);
    const queue = queues.get(queueName) ?? [];
    queues.set(queueName, queue);
    queue.push(wish);
    if (queue.length === 1) begin(queue);
  };

  const follow = (ask: Ask, answer: NonNullable<Wish['answer']>): void => {
    if (answer.kind === 'refused' && ask.verb === 'webhook') {
      // The execution was in quarantine: the payment is tried again.
      const executionId = getPath(ask.call.request.body, ['executionId']);
      if (typeof executionId === 'string') paid.delete(executionId);
    } else if (answer.kind === 'answered' && ask.verb === 'start' && ask.start.workflowId === 'family') {
      // A family is cancelled as soon as its id is known.
      const { executionId } = answer.value as { readonly executionId: string };
      want(`cancel ${executionId}`, { verb: 'cancel', executionId });
    }
  };
  const pay = (executionId: string): void => {
    if (paid.has(executionId)) return;
    paid.add(executionId);
    for (const by of payers) want(`${by} pays ${executionId}`, { verb: 'webhook', call: orderCall({ executionId, by }) });
  };

  const says = (userId: string): void => {
    const number = (messages.get(userId) ?? 0) + 1;
    messages.set(userId, number);
    const eventId = `${userId}-${number}`;
    const message = { id: eventId, type: 'text', text: `#${number}` };
    want(userId, { verb: 'message', message: { companyId, botId, eventId, user: { id: userId }, message } });
  };
  const starts = (workflowId: string, idempotencyKey: string): void =>
    want(`${workflowId} ${idempotencyKey}`, { verb: 'start', start: { origin: system, workflowId, idempotencyKey } });

  const whenAnswered = async (): Promise<void> => {
    while (working.size > 0) await Promise.all(working);
  };

  return {
    wishes,
    async resume(next) {
      life = next;
      // Nothing can be called before it is published.
      const author = queues.get('author') ?? [];
      begin(author);
      await whenAnswered();
      for (const queue of queues.values()) if (queue !== author) begin(queue);
    },
    async wave() {
      waves += 1;
      // The first versions must be there before anything is called; later ones come while it runs.
      for (const canvas of waves === 1 ? canvases : [support(2 - (waves % 2))]) want('author', { verb: 'publish', canvas });
      if (waves === 1) await whenAnswered();
      if (wishes.slice(0, canvases.length).some(({ answer }) => answer === undefined)) return;
      for (const userId of users) for (let count = 0; count < 2; count += 1) says(userId);
      for (const [index, userId] of users.slice(0, 2).entries()) {
        const idempotencyKey = `${waves}-${index}`;
        want(`order ${idempotencyKey}`, { verb: 'webhook', call: { ...orderCall({ userId, items: ['a', 'b'] }), idempotencyKey } });
      }
      for (const workflowId of ['batch', 'family', shredded]) starts(workflowId, String(waves));
      want('operator', { verb: 'checkpoint' });
      want('operator', { verb: 'prune' });
      await whenAnswered();
    },
    whenAnswered,
    onReceived({ path, executionId }) {
      if (path === '/ready') pay(executionId);
    },
    relieve(standing) {
      for (const { executionId, status, wait } of standing) {
        if (status === 'quarantined') want(`release ${executionId}`, { verb: 'release', executionId });
        else if (wait === 'external') pay(executionId);
      }
    },
  };
}
