// Takes webhooks and messages over SQLite without HTTP, in a process of its own: what the engine and the store alone cost.
import { createEngine, parseCanvas } from '../../packages/engine/src/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { recordingInbound } from '../../packages/server/src/messages/message-log.ts';
import { serviceTables } from '../../packages/server/src/platform/database/tables.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { inDirectory } from '../in-directory.ts';
import { answerParent } from '../processes.ts';
import { userOf } from './calls.ts';

export interface Arrivals {
  /** The canvas that a webhook begins at its node `begin`, and the one that a message begins. */
  readonly canvases: { readonly hook: object; readonly talk: object };
  readonly rounds: number;
  /** In each round, of each kind. */
  readonly count: number;
  readonly callers: number;
}

/** Microseconds of the processors for one arrival, by round. */
export interface ArrivalRounds {
  readonly webhook: readonly number[];
  readonly message: readonly number[];
}

const takeAll = ({ canvases, rounds, count, callers }: Arrivals): Promise<ArrivalRounds> =>
  inDirectory(async (directory) => {
    const store = await openSqliteStore({ path: `${directory}/hilo.db`, extensions: [serviceTables] });
    const engine = createEngine({
      nodes: standardNodes,
      store: { executions: recordingInbound(store), canvases: store.canvases },
      directory: { company: () => ({ id: '1' }), bot: () => ({ id: 'bot', channel: 'whatsapp' }) },
    });
    for (const input of Object.values(canvases)) {
      const { canvas, problems } = parseCanvas(input);
      if (canvas === undefined) throw new Error(`A canvas of the benchmark cannot be parsed: ${JSON.stringify(problems)}`);
      await engine.saveDraft('1', canvas);
      await engine.publish('1', canvas.id);
    }
    await engine.start();

    const to = { companyId: '1', botId: 'bot' };
    const webhook = async (number: number): Promise<void> => {
      const body = { user: { id: userOf(number) }, text: `Order A-${number}` };
      const request = { method: 'POST', headers: {}, query: {}, body } as const;
      await engine.receiveWebhook({ ...to, workflowId: 'hook', nodeId: 'begin', route: 'production', channel: 'whatsapp', request });
    };
    const message = async (number: number): Promise<void> => {
      const [eventId, user] = [`wamid.${number}`, { id: userOf(number) }];
      const text = { id: eventId, type: 'text', text: `Order A-${number}` };
      const { outcome } = await engine.receiveMessage({ ...to, eventId, user, message: text });
      if (outcome !== 'started') throw new Error(`Message ${number} was ${outcome}`);
    };

    let next = 0;
    const usOf = async (take: (number: number) => Promise<void>): Promise<number> => {
      const last = next + count;
      const caller = async (): Promise<void> => {
        while (next < last) await take((next += 1));
      };
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: callers }, caller));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / count;
    };
    try {
      for (const take of [webhook, message]) await usOf(take); // V8 takes its time to see what is hot
      const result = { webhook: [], message: [] } as { readonly [name in keyof ArrivalRounds]: number[] };
      for (let round = 0; round < rounds; round += 1) {
        result.webhook.push(await usOf(webhook));
        result.message.push(await usOf(message));
      }
      return result;
    } finally {
      await engine.stop();
      await store.close();
    }
  });

answerParent(takeAll);
