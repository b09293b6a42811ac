// A store with subscriptions, and subscribers that answer as a test wants: without a network, in virtual time.
import { DriverError, type DialerRequest } from '@hilo/drivers';
import { call, type DurableStore, openSqliteStore } from '@hilo/stores';
import { createVirtualClock, seededRandom, type VirtualClock } from '@hilo/testing';
import { createEventRunner } from '../../src/events/deliver-events.ts';
import { telling, type ToldEvent } from '../../src/platform/events/telling.ts';
import { createTelling, type Telling } from '../../src/events/telling-store.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { eventSubscriptions, type Subscription } from '../../src/platform/tables/events.ts';
import { countCalls } from '../data/counted-calls.ts';

export const silent = { info: () => {}, warn: () => {}, error: () => {} };
/** 24 bytes. */
export const secret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`;

/** What a subscriber does with a request: a status, after a time; or the error of a call. */
type Answer = { readonly status: number; readonly afterMs?: number; readonly body?: string } | DriverError;

/** A request as a subscriber has heard it. */
export interface Heard {
  readonly to: string;
  readonly atMs: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

export interface Stage extends AsyncDisposable {
  readonly store: DurableStore;
  readonly clock: VirtualClock;
  readonly heard: Heard[];
  /** Most requests that were under way at once, by address. */
  readonly atOnce: Map<string, number>;
  answer: (heard: Heard) => Answer;
  /** Writes an event by an empty write that tells of it. */
  tell(userId: string, number: number, companyId?: string): Promise<void>;
  process(): ReturnType<typeof createEventRunner>;
  settle(forMs: number): Promise<void>;
  /** How often the store was asked. */
  calls(): number;
  rows(): Promise<readonly { readonly state: string; readonly attempts: number }[]>;
}

export const subscription = (given: Partial<Subscription> = {}): Subscription => ({
  companyId: '1',
  id: 'sub_1',
  url: 'https://one.example/hook',
  events: ['*'],
  isPaused: false,
  secret,
  ...given,
});

const readRows = statement()((db) => db.selectFrom('event_deliveries').select(['state', 'attempts']).orderBy('seq'));

export async function stage(subscriptions: readonly Subscription[] = [subscription()]): Promise<Stage> {
  const calls = countCalls();
  const clock = createVirtualClock();
  const random = seededRandom(1);
  const told: Telling = createTelling({ random, now: clock.now });
  const opened = await openSqliteStore({
    path: ':memory:',
    extensions: [serviceTables],
    around: (runner) => told.around(calls.over(runner)),
  });
  const store = told.over(opened);
  const of = (companyId: string): readonly Subscription[] => subscriptions.filter((one) => one.companyId === companyId);
  await store.runner.write(
    eventSubscriptions.insert(subscriptions.map(({ secret: _secret, ...row }) => ({ ...row, createdAtMs: clock.now() }))),
  );
  const runners: ReturnType<typeof createEventRunner>[] = [];
  const open = new Map<string, number>();

  const request = async ({ url, headers, body, signal }: DialerRequest) => {
    const text = String(body);
    const parsed = JSON.parse(text) as { type: string; data: { [name: string]: unknown } };
    const heard: Heard = { to: url, atMs: clock.now(), headers: { ...headers }, body: text, ...parsed };
    made.heard.push(heard);
    open.set(url, (open.get(url) ?? 0) + 1);
    made.atOnce.set(url, Math.max(made.atOnce.get(url) ?? 0, open.get(url) ?? 0));
    try {
      const answer = made.answer(heard);
      if (answer instanceof DriverError) throw answer;
      if (answer.afterMs !== undefined) await pause(answer.afterMs, signal);
      return { status: answer.status, headers: {}, body: Buffer.from(answer.body ?? ''), url, retryAfterMs: undefined };
    } finally {
      open.set(url, (open.get(url) ?? 1) - 1);
    }
  };
  const pause = (ms: number, signal: DialerRequest['signal']): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = clock.setTimeout(() => resolve(), ms);
      signal?.addEventListener('abort', () => {
        clock.clearTimeout(timer);
        reject(new DriverError('TIMEOUT', 'aborted'));
      });
    });

  const made: Stage = {
    store,
    clock,
    heard: [],
    atOnce: new Map(),
    answer: () => ({ status: 200 }),
    async tell(userId, number, companyId = '1') {
      const event: ToldEvent = {
        type: 'contact.updated',
        companyId,
        atMs: clock.now(),
        about: { userId },
        data: { userId, changed: [String(number)] },
      };
      // A write of something else: it changes nothing here.
      await store.runner.write([telling(eventSubscriptions.remove({ companyId, id: 'none' }), () => event)]);
    },
    process() {
      const runner = createEventRunner({
        store,
        subscriptions: of,
        dialer: { request },
        isOwn: (url) => url.includes('own.example'),
        onGone: async () => {},
        clock,
        random,
        log: silent,
      });
      runners.push(runner);
      told.follow(of, runner.wake);
      return runner;
    },
    async settle(forMs) {
      const untilMs = clock.now() + forMs;
      for (;;) {
        await calls.answered();
        const nextMs = clock.nextMs() ?? Number.POSITIVE_INFINITY;
        clock.advanceTo(Math.min(nextMs, untilMs));
        if (nextMs > untilMs) return;
      }
    },
    calls: calls.made,
    rows: () => store.runner.read(call(readRows, {})),
    async [Symbol.asyncDispose]() {
      const stopping = Promise.all(runners.map((runner) => runner.stop()));
      await made.settle(0);
      await stopping;
      await store.close();
    },
  };
  told.follow(of, () => {});
  return made;
}
