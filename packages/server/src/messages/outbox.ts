// Sends what was accepted, in the order of each user, by whichever process.
import type { Clock, Random } from '@hilo/engine/contract';
import { type DurableStore, hasOthers, type Runner } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { acceptSend, queue, usedKey } from './accept-send.ts';
import { createClaims, createLanes, takeNext } from './delivery-queues.ts';
import { outboundRow } from './message-log.ts';
import type { ConsentGate } from './consent-gate.ts';
import { type Deliver, type DueMessage, type OnKept, type Outbox, ownKeyPrefix, type Paces, type Tried } from './messages.ts';
import { dueLanes, forgetClaims, forgetSendKeys, keyedMessage, sentMessage } from './outbox-sql.ts';
import { forgetProviderMessages } from './provider-records.ts';
import { createTurnSender } from './send-turn.ts';
import { deliveredOf, sentMessageOf } from './settle.ts';
import { heldMessage, releaseLeftBehind, type TakeoverGate } from './takeover-gate.ts';
import { createWaiters, type Waiters } from './waiters.ts';
import { laneOf, nameLane, type Lane } from '../platform/database/lanes.ts';

interface OutboxParts {
  readonly store: DurableStore;
  readonly companies: Pick<Companies, 'botOf'>;
  /** Refuses templates to who has stopped them; nothing is refused without it. */
  readonly consent?: ConsentGate;
  /** Lets messages of the bot wait while a person talks with their user; none waits without it. */
  readonly takeover?: TakeoverGate;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Hands a message to its channel, once. */
  readonly deliver: Deliver<DueMessage, Tried>;
  /** Whether keeping a message is all there is to sending it. */
  readonly isRecordOnly: (bot: Bot) => boolean;
  readonly onKept?: OnKept;
  /** Keeps conversations within the rate of their provider; without it, nothing waits. */
  readonly paces?: Pick<Paces, 'conversation'>;
}

/** An outbox that is at work. */
export interface RunningOutbox extends Outbox {
  /** Sends what was accepted and not sent, by this process or one that has died, and renews its claims from here on. */
  start(): Promise<void>;
  /** Hands nothing more over, and waits for what its channels have; what still waits for its turn there is left to others. */
  stop(): Promise<void>;
}

/** How often claims are renewed, and messages sought whose turn has come: of other processes, or whose claims have expired. */
const sweepMs = 5_000;

/** How often expired keys are removed. */
const forgetKeysMs = 3_600_000;

/** An outbox over a store. What earlier processes left unsent is sent from its `start` on. */
export function createOutbox(parts: OutboxParts): RunningOutbox {
  const { store, companies, clock, random, log, isRecordOnly, onKept = () => {}, paces } = parts;
  const { runner } = store;
  const me = hex(random.bytes(8));
  /** Whether another process can take a claim over. */
  const canLoseClaims = hasOthers(store);
  const waiters = createWaiters();
  const claims = createClaims(runner, me, clock);
  const stopping = new AbortController();
  const sendTurn = createTurnSender({ ...parts, paces, me, stopping: stopping.signal });
  let forgetKeysAtMs = 0;

  const lanes = createLanes({
    clock,
    log,
    next: (lane) => takeNext(runner, lane, me, clock),
    async perform(turn, retry) {
      const delivered = await claims.during(turn.id, () => sendTurn(turn, retry));
      if (delivered !== undefined) waiters.resolve(nameLane(turn.lane), turn.idempotencyKey, delivered);
    },
    resolveSettled: (lane) => resolveSettled(runner, waiters, lane),
  });

  const sweep = async (nowMs: number): Promise<void> => {
    if (canLoseClaims) await claims.renew();
    if (canLoseClaims) await runner.write([releaseLeftBehind({})]);
    for (const lane of await runner.read(dueLanes({ nowMs }))) lanes.wake(lane);
    if (nowMs >= forgetKeysAtMs) {
      await runner.write([forgetSendKeys({ nowMs })]);
      await runner.write([forgetProviderMessages(nowMs)]);
      forgetKeysAtMs = nowMs + forgetKeysMs;
    }
  };
  const poller = createPoller({ clock, log, everyMs: sweepMs, poll: sweep, failure: 'The outbox could not be read' });

  return {
    async accept(send) {
      const { acceptance, lane } = await acceptSend(
        store,
        send,
        `${send.from === 'service' ? ownKeyPrefix : 'rest:'}${hex(random.bytes(16))}`,
        { companies, isRecordOnly },
        clock,
      );
      if (lane !== undefined) lanes.wake(lane);
      if (acceptance.kind === 'accepted') onKept(laneOf({ ...send, userId: send.knownAs }));
      return acceptance;
    },
    used: ({ companyId, botId }, key) => usedKey(runner, { companyId, botId }, key, clock.now()),
    async send(_bot, outbound, signal) {
      const row = outboundRow(outbound, 'queued', clock.now());
      const idempotencyKey = row.idempotencyKey ?? '';
      const queued = await queue(runner, row, idempotencyKey);
      if (queued.kind === 'sent') return queued;
      const { lane } = queued;
      onKept(lane);
      const waiting = waiters.wait(nameLane(lane), idempotencyKey, signal);
      lanes.wake(lane);
      return waiting;
    },
    async find(companyId, botId, messageId) {
      const row = await runner.readOne(sentMessage({ companyId, botId, messageId }));
      return row === undefined ? undefined : sentMessageOf(row);
    },
    async start() {
      // Without a shared store, existing claims are of a process that has died.
      if (!canLoseClaims) await runner.write([forgetClaims({})]);
      poller.start();
      poller.wake(clock.now());
    },
    async stop() {
      stopping.abort();
      await lanes.stop(); // claims are renewed meanwhile
      await poller.stop();
    },
  };
}

/** Ends the waits for messages of a lane that were settled, by whatever process. */
async function resolveSettled(runner: Runner, waiters: Waiters, lane: Lane): Promise<void> {
  for (const idempotencyKey of waiters.keysOf(nameLane(lane))) {
    const row = await runner.readOne(keyedMessage({ companyId: lane.companyId, idempotencyKey }));
    if (row === undefined) continue;
    const isHeld = async (): Promise<boolean> =>
      (await runner.readOne(heldMessage({ companyId: lane.companyId, idempotencyKey }))) !== undefined;
    // A workflow does not wait until a person has finished: it goes on to its question, which is parked.
    const delivered = deliveredOf(row) ?? ((await isHeld()) ? ({ kind: 'sent', messageId: row.messageId } as const) : undefined);
    if (delivered !== undefined) waiters.resolve(nameLane(lane), idempotencyKey, delivered);
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
