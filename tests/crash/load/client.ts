import { getPath } from '@hilo/engine/contract';
import type { Command, OpenExecution } from '../protocol.ts';
import { canvases, shredded, support } from './canvases.ts';
import type { ReceivedCall } from './ledger.ts';
import type { Answer, EngineProcess } from './engine-process.ts';
import { botId, companyId, orderCall, system, users } from './names.ts';

/** A request of the client, and its answer. It is repeated unchanged in each process until it is answered. */
export interface ClientRequest {
  readonly command: Command;
  /** How often it was sent. */
  attempts: number;
  answer: Exclude<Answer, { readonly kind: 'lost' }> | undefined;
}

/** The outside world: users who write, systems that call, authors who publish. */
export interface Client {
  readonly requests: readonly ClientRequest[];
  /** Sends to this process from now on; requests that the last process left unanswered are repeated at once. */
  sendTo(process: EngineProcess): Promise<void>;
  /** Sends one round of all kinds of requests. Resolves when all are answered, or the process has died. */
  sendRound(): Promise<void>;
  /** Resolves when no request is open, or the process has died. */
  whenAnswered(): Promise<void>;
  /** Pays for an order whose call was performed. */
  onReceived(call: ReceivedCall): void;
  /** Pays for orders that wait for it, and releases quarantined executions. */
  resumeOpen(executions: readonly OpenExecution[]): void;
}

const payers = ['first', 'second', 'third'] as const;

export function createClient(): Client {
  const requests: ClientRequest[] = [];
  /** Requests of one queue are sent one after the other. */
  const queues = new Map<string, ClientRequest[]>();
  const sending = new Set<Promise<void>>();
  const messages = new Map<string, number>();
  const paid = new Set<string>();
  let process: EngineProcess | undefined;
  let rounds = 0;

  const sendQueue = async (queue: ClientRequest[], to: EngineProcess): Promise<void> => {
    for (let [request] = queue; request !== undefined; [request] = queue) {
      request.attempts += 1;
      const answer = await to.send(request.command);
      if (answer.kind === 'lost') return;
      request.answer = answer;
      queue.shift();
      sendNext(request.command, answer);
    }
  };
  const startSending = (queue: ClientRequest[]): void => {
    if (process === undefined) return;
    const done = sendQueue(queue, process).finally(() => sending.delete(done));
    sending.add(done);
  };
  const enqueue = (queueName: string, command: Command): void => {
    const request: ClientRequest = { command, attempts: 0, answer: undefined };
    requests.push(request);
    const queue = queues.get(queueName) ?? [];
    queues.set(queueName, queue);
    queue.push(request);
    if (queue.length === 1) startSending(queue);
  };

  const sendNext = (command: Command, answer: NonNullable<ClientRequest['answer']>): void => {
    if (answer.kind === 'refused' && command.verb === 'webhook') {
      // The execution was in quarantine: the payment is tried again.
      const executionId = getPath(command.call.request.body, ['executionId']);
      if (typeof executionId === 'string') paid.delete(executionId);
    } else if (answer.kind === 'answered' && command.verb === 'start' && command.start.workflowId === 'family') {
      // A family is cancelled as soon as its id is known.
      const { executionId } = answer.value as { readonly executionId: string };
      enqueue(`cancel ${executionId}`, { verb: 'cancel', executionId });
    }
  };
  const pay = (executionId: string): void => {
    if (paid.has(executionId)) return;
    paid.add(executionId);
    for (const by of payers) enqueue(`${by} pays ${executionId}`, { verb: 'webhook', call: orderCall({ executionId, by }) });
  };

  const sendMessage = (userId: string): void => {
    const number = (messages.get(userId) ?? 0) + 1;
    messages.set(userId, number);
    const eventId = `${userId}-${number}`;
    const message = { id: eventId, type: 'text', text: `#${number}` };
    enqueue(userId, { verb: 'message', message: { companyId, botId, eventId, user: { id: userId }, message } });
  };
  const startWorkflow = (workflowId: string, idempotencyKey: string): void =>
    enqueue(`${workflowId} ${idempotencyKey}`, { verb: 'start', start: { origin: system, workflowId, idempotencyKey } });

  const whenAnswered = async (): Promise<void> => {
    while (sending.size > 0) await Promise.all(sending);
  };

  return {
    requests,
    async sendTo(next) {
      process = next;
      // Nothing can be called before it is published.
      const author = queues.get('author') ?? [];
      startSending(author);
      await whenAnswered();
      for (const queue of queues.values()) if (queue !== author) startSending(queue);
    },
    async sendRound() {
      rounds += 1;
      // The first versions must be there before anything is called; later ones come while it runs.
      for (const canvas of rounds === 1 ? canvases : [support(2 - (rounds % 2))]) enqueue('author', { verb: 'publish', canvas });
      if (rounds === 1) await whenAnswered();
      if (requests.slice(0, canvases.length).some(({ answer }) => answer === undefined)) return;
      for (const userId of users) for (let count = 0; count < 2; count += 1) sendMessage(userId);
      for (const [index, userId] of users.slice(0, 2).entries()) {
        const idempotencyKey = `${rounds}-${index}`;
        enqueue(`order ${idempotencyKey}`, { verb: 'webhook', call: { ...orderCall({ userId, items: ['a', 'b'] }), idempotencyKey } });
      }
      for (const workflowId of ['batch', 'family', shredded]) startWorkflow(workflowId, String(rounds));
      enqueue('operator', { verb: 'checkpoint' });
      enqueue('operator', { verb: 'prune' });
      await whenAnswered();
    },
    whenAnswered,
    onReceived({ path, executionId }) {
      if (path === '/ready') pay(executionId);
    },
    resumeOpen(executions) {
      for (const { executionId, status, wait } of executions) {
        if (status === 'quarantined') enqueue(`release ${executionId}`, { verb: 'release', executionId });
        else if (wait === 'external') pay(executionId);
      }
    },
  };
}
