// Open streams of the web chat.
import type { Engine } from '@hilo/engine';
import { type Clock, isWithin } from '@hilo/engine/contract';
import { type DurableStore, hasOthers } from '@hilo/stores';
import { tooBusy } from '../platform/http/errors.ts';
import { createWake } from '../platform/waiting.ts';
import { createAtWork, createDraftReader } from './at-work.ts';
import { readCursor } from './cursor.ts';
import { createMessageReader } from './stream-messages.ts';
import { createStreamPlaces, maxStreams } from './stream-places.ts';
import { nameLane, type Lane } from '../platform/database/lanes.ts';

/** The open streams of this process: each sends the messages of one visitor to a browser as they are stored. */
export interface ChatStreams {
  /**
   * Opens a stream of server-sent events: the messages after `lastEventId`, or the latest ones, and then each new one.
   *
   * @param isValid - called periodically; the stream ends once it returns false
   * @param network - of the visitor; without one there is no share by network
   * @throws {HttpError} 503 when too many are open, of all or of this company or network
   */
  open(lane: Lane, lastEventId: string | undefined, isValid: () => Promise<boolean>, network?: string): ReadableStream<Uint8Array>;
  /** Called when a message of this user was stored. */
  wake(lane: Lane): void;
  /** Shows visitors when a bot is at work for them, by the engine's own events. */
  follow(engine: Pick<Engine, 'on'>): void;
  /** Ends all of them; browsers come back to the process that follows. */
  close(): void;
}

/** How often a heartbeat is sent, so that neither side takes the connection for dead. */
const heartbeatMs = 15_000;

/** How often messages of other processes are polled: every second, or less often when so many streams poll that the store would notice. */
const computePollMs = (streams: number): number => Math.max(1_000, streams * 2);

/** Streams read the store. Where processes share it they also poll, because messages that other processes store cause no wake here. */
export function createChatStreams({
  runner,
  durability,
  clock,
  limits = maxStreams,
}: Pick<DurableStore, 'runner' | 'durability'> & { readonly clock: Clock; readonly limits?: typeof maxStreams }): ChatStreams {
  /** How to wake each of the streams of a user. */
  const open = new Map<string, Set<() => void>>();
  const mustPoll = hasOthers({ durability });
  const places = createStreamPlaces(limits);
  let isClosed = false;

  const wakeUser = (user: string): void => {
    for (const wake of open.get(user) ?? []) wake();
  };
  const atWork = createAtWork(clock, open, wakeUser);

  return {
    open(lane, lastEventId, isValid, network) {
      const user = nameLane(lane);
      const wakers = open.get(user) ?? new Set();
      const place = isClosed || wakers.size >= limits.ofVisitor ? undefined : places.take(lane.companyId, network);
      if (place === undefined)
        throw tooBusy({ name: 'chat-streams', holder: network }, 'Too many chats are open here; come back in a moment', 5);
      const alarm = createWake(clock);
      open.set(user, wakers.add(alarm.wake));
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        alarm.wake();
        place.give();
        wakers.delete(alarm.wake);
        if (wakers.size > 0) return;
        open.delete(user);
        atWork.forget(user);
      };
      const next = createChunks({
        clock,
        alarm,
        readNew: createMessageReader({ runner, clock, hasOthers: mustPoll }, lane, readCursor(lastEventId)),
        draft: () => atWork.draftOf(user),
        isBusy: () => atWork.isBusy(user),
        pollMs: () => (mustPoll ? computePollMs(places.used()) : Number.POSITIVE_INFINITY),
        isOver: () => isOver || isClosed,
        isValid,
      });
      return streamChunks(next, place, leave);
    },
    wake: (lane) => wakeUser(nameLane(lane)),
    follow: atWork.follow,
    close() {
      isClosed = true;
      for (const user of open.keys()) wakeUser(user);
    },
  };
}

interface ChunkParts {
  readonly clock: Clock;
  readonly alarm: ReturnType<typeof createWake>;
  readonly readNew: ReturnType<typeof createMessageReader>;
  readonly draft: () => ReturnType<ReturnType<typeof createAtWork>['draftOf']>;
  readonly isBusy: () => boolean;
  /** How long nothing is read without a wake. */
  readonly pollMs: () => number;
  readonly isOver: () => boolean;
  readonly isValid: () => Promise<boolean>;
}

/** What a stream sends: messages, drafts and whether the bot is at work, or a heartbeat. @returns the next chunk; `undefined` at the end */
function createChunks({ clock, alarm, readNew, draft, isBusy, pollMs, isOver, isValid }: ChunkParts): () => Promise<string | undefined> {
  const readDraft = createDraftReader();
  let beatenAtMs = clock.now();
  let wasBusy = false;
  let isReady = false;
  return async () => {
    for (;;) {
      if (isOver()) return undefined;
      alarm.reset();
      const { events, repliedAtMs } = await readNew();
      events.push(...readDraft(draft(), repliedAtMs));
      if (wasBusy !== isBusy()) {
        wasBusy = !wasBusy;
        events.push(`event: typing\ndata: ${String(wasBusy)}\n\n`);
      }
      if (!isReady) events.push('event: ready\ndata: {}\n\n'); // all that was kept before has come
      isReady = true;
      if (events.length > 0) return events.join('');
      const wasWoken = await alarm.sleep(Math.max(1, Math.min(beatenAtMs + heartbeatMs - clock.now(), heartbeatMs, pollMs())));
      if (wasWoken || isWithin(beatenAtMs, heartbeatMs, clock.now())) continue;
      beatenAtMs = clock.now();
      return (await isValid()) ? ': \n\n' : undefined;
    }
  };
}

/** Chunks as a stream, one whenever the one before was taken. */
const streamChunks = (
  next: () => Promise<string | undefined>,
  place: NonNullable<ReturnType<ReturnType<typeof createStreamPlaces>['take']>>,
  leave: () => void,
): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          place.hold(0); // it has taken what came before
          const text = await next();
          const bytes = new TextEncoder().encode(text);
          // Where too much is unread, it ends as where the store is unavailable: the browser comes back with its cursor.
          if (text !== undefined && place.hold(bytes.length)) return controller.enqueue(bytes);
        } catch {
          // The store is unavailable: the browser reconnects and continues from its cursor.
        }
        leave();
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
