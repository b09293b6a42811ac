// Open streams of the web chat.
import type { Engine, ExecutionRef } from '@hilo/engine';
import { type Clock, isJsonObject } from '@hilo/engine/contract';
import { sendMessage } from '@hilo/nodes/effects';
import { call, decodeText, type DurableStore, encodeKey, encodeText, isShared } from '@hilo/stores';
import { latestOfUser, type LaneColumns, messagesOfUser } from '../messages/messages.ts';
import { unavailable } from '../platform/http/errors.ts';
import { createWake } from '../platform/waiting.ts';
import { createStreamPlaces, maxStreams } from './stream-places.ts';
import { type Cursor, advance, isKnown, readCursor, createCursor, writeCursor } from './cursor.ts';

/** The open streams of this process: each sends the messages of one visitor to a browser as they are stored. */
export interface ChatStreams {
  /**
   * Opens a stream of server-sent events: the messages after `lastEventId`, or the latest ones, and then each new one.
   *
   * @param isValid - called periodically; the stream ends once it returns false
   * @param network - of the visitor; without one there is no share by network
   * @throws {HttpError} 503 when too many are open, of all or of this company or network
   */
  open(lane: LaneColumns, lastEventId: string | undefined, isValid: () => Promise<boolean>, network?: string): ReadableStream<Uint8Array>;
  /** Called when a message of this user was stored. */
  wake(lane: LaneColumns): void;
  /** Shows visitors when a bot is at work for them, by the engine's own events. */
  follow(engine: Pick<Engine, 'on'>): void;
  /** Ends all of them; browsers come back to the process that follows. */
  close(): void;
}

/** How many past messages a browser without a cursor gets, and how many are read at a time. */
const [latestCount, pageSize] = [50, 200];

/** How often a heartbeat is sent, so that neither side takes the connection for dead. */
const heartbeatMs = 15_000;

/** How often messages of other processes are polled: every second, or less often when so many streams poll that the store would notice. */
const computePollMs = (streams: number): number => Math.max(1_000, streams * 2);

/** A reply while it is written. It is kept in this process alone, and once for all streams of its visitor. */
interface Draft {
  readonly executionId: string;
  readonly key: string;
  readonly text: string;
  /** When it began: a message of the bot from then on takes its place. */
  readonly sinceMs: number;
}

/** The longest draft: that of the longest value. */
const maxDraftChars = 64 * 1024;

type Row = Awaited<ReturnType<typeof readRowsAfter>>[number];

/** Streams read the store. Where processes share it they also poll, because messages that other processes store cause no wake here. */
export function createChatStreams({
  runner,
  durability,
  clock,
  limits = maxStreams,
}: Pick<DurableStore, 'runner' | 'durability'> & { readonly clock: Clock; readonly limits?: typeof maxStreams }): ChatStreams {
  /** Of one user: how to wake each of their streams. */
  const open = new Map<string, Set<() => void>>();
  /** Users whose bot is working on an answer. */
  const busy = new Set<string>();
  const drafts = new Map<string, Draft>();
  const hasOthers = isShared(durability);
  const places = createStreamPlaces(limits);
  let isClosed = false;

  const wakeUser = (user: string): void => {
    for (const wake of open.get(user) ?? []) wake();
  };
  const setBusy = (user: string, isBusy: boolean): void => {
    if (busy.has(user) === isBusy || (isBusy && !open.has(user))) return;
    if (isBusy) busy.add(user);
    else busy.delete(user);
    wakeUser(user);
  };
  const setDraft = (user: string, draft: Omit<Draft, 'sinceMs'>): void => {
    if (!open.has(user)) return;
    const known = drafts.get(user);
    drafts.set(user, { ...draft, sinceMs: known?.key === draft.key ? known.sinceMs : clock.now() });
    wakeUser(user);
  };
  /** The next message, or none, takes the place of the draft of an execution. */
  const dropDraft = (user: string, executionId: string): void => {
    if (drafts.get(user)?.executionId !== executionId) return;
    drafts.delete(user);
    wakeUser(user);
  };

  return {
    open(lane, lastEventId, isValid, network) {
      const user = nameUser(lane);
      const wakers = open.get(user) ?? new Set();
      const place = isClosed || wakers.size >= limits.ofVisitor ? undefined : places.take(lane.companyId, network);
      if (place === undefined) throw unavailable('Too many chats are open here; come back in a moment', 5);
      const alarm = createWake(clock);
      let heartbeatAtMs = clock.now() + heartbeatMs;
      open.set(user, wakers.add(alarm.wake));
      const readNew = createReader({ runner, clock, hasOthers }, lane, readCursor(lastEventId));
      const readDraft = createDraftReader();
      let wasBusy = false;
      let isReady = false;
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        alarm.wake();
        place.give();
        wakers.delete(alarm.wake);
        if (wakers.size > 0) return;
        open.delete(user);
        busy.delete(user);
        drafts.delete(user);
      };

      /** The next chunk; `undefined` at the end. */
      const next = async (): Promise<string | undefined> => {
        for (;;) {
          if (isOver || isClosed) return undefined;
          alarm.reset();
          const { events, repliedAtMs } = await readNew();
          events.push(...readDraft(drafts.get(user), repliedAtMs));
          if (wasBusy !== busy.has(user)) {
            wasBusy = !wasBusy;
            events.push(`event: typing\ndata: ${String(wasBusy)}\n\n`);
          }
          if (!isReady) events.push('event: ready\ndata: {}\n\n'); // all that was kept before has come
          isReady = true;
          if (events.length > 0) return events.join('');
          const untilHeartbeatMs = heartbeatAtMs - clock.now();
          const wasWoken = await alarm.sleep(
            Math.max(1, hasOthers ? Math.min(untilHeartbeatMs, computePollMs(places.used())) : untilHeartbeatMs),
          );
          if (wasWoken || clock.now() < heartbeatAtMs) continue;
          heartbeatAtMs = clock.now() + heartbeatMs;
          return (await isValid()) ? ': \n\n' : undefined;
        }
      };

      return new ReadableStream<Uint8Array>(
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
    },
    wake: (lane) => wakeUser(nameUser(lane)),
    follow(engine) {
      const note = (isBusy: boolean) => (about: { readonly companyId: string; readonly botId?: string; readonly userId?: string }) => {
        const { companyId, botId, userId } = about;
        if (open.size + busy.size === 0) return; // no chat is open, and most users have none
        if (botId !== undefined && userId !== undefined) setBusy(nameUser(encodeLane(companyId, botId, userId)), isBusy);
      };
      const noteEnd = ({ companyId, executionId, origin: { botId, userId } }: ExecutionRef): void => {
        if (drafts.size === 0 || botId === undefined || userId === undefined) return;
        dropDraft(nameUser(encodeLane(companyId, botId, userId)), executionId);
      };
      const noteRest = (execution: ExecutionRef): void => {
        noteEnd(execution);
        note(false)({ ...execution.origin, companyId: execution.companyId });
      };
      engine.on('effect.progressed', ({ companyId, origin: { botId, userId }, executionId, key, value }) => {
        const text = isJsonObject(value) ? value['text'] : undefined;
        if (typeof text !== 'string' || text.length > maxDraftChars || botId === undefined || userId === undefined) return;
        setDraft(nameUser(encodeLane(companyId, botId, userId)), { executionId, key, text });
      });
      engine.on('effect.requested', (execution, { effect }) => {
        if (effect?.type !== sendMessage.type) noteEnd(execution); // another call follows: that was not the reply
      });
      engine.on('message.received', note(true));
      engine.on('message.unmatched', note(false));
      engine.on('message.held', note(false));
      engine.on('message.attended', note(false));
      engine.on('execution.waiting', (execution) => noteRest(execution));
      engine.on('execution.ended', (execution) => noteRest(execution));
      engine.on('execution.quarantined', (execution) => noteRest(execution));
    },
    close() {
      isClosed = true;
      for (const user of open.keys()) wakeUser(user);
    },
  };
}

/**
 * Writes what a browser has not got of the draft. However slowly it reads, nothing waits for it: it gets what is new when it asks.
 *
 * @returns the events for the draft as it is now, behind the new messages, of which the last one of the bot was stored at `repliedAtMs`
 */
function createDraftReader(): (now: Draft | undefined, repliedAtMs: number | undefined) => readonly string[] {
  let shown = { key: '', text: '' };
  let replied: string | undefined;
  return (now, repliedAtMs) => {
    if (repliedAtMs !== undefined && repliedAtMs >= (now?.sinceMs ?? 0)) {
      replied = now?.key ?? shown.key;
      shown = { key: '', text: '' };
    }
    const before = shown;
    const { key, text } = now === undefined || now.key === replied ? { key: '', text: '' } : now;
    shown = { key, text };
    if (text === '') return before.text === '' ? [] : [formatDraft(before.key, 0, '')];
    if (key === before.key && text === before.text) return [];
    const at = key === before.key && text.startsWith(before.text) ? before.text.length : 0;
    return [formatDraft(key, at, text.slice(at))];
  };
}

const formatDraft = (key: string, at: number, text: string): string => `event: draft\ndata: ${JSON.stringify({ key, at, text })}\n\n`;

const nameUser = ({ companyId, botId, userKey }: LaneColumns): string => JSON.stringify([companyId, botId, userKey]);

/** A user of a bot, in columns. */
export const encodeLane = (companyId: string, botId: string, userId: string): LaneColumns => ({
  companyId: encodeText(companyId),
  botId: encodeText(botId),
  userKey: encodeKey(userId),
});

/**
 * Reads the messages of a visitor that a browser has not got: the latest ones first, where it has no cursor.
 *
 * @returns reads those that are new since the call before, as events, and when the last of them from the bot was stored
 */
function createReader(
  {
    runner,
    clock,
    hasOthers,
  }: { readonly runner: DurableStore['runner']; readonly clock: Pick<Clock, 'now'>; readonly hasOthers: boolean },
  lane: LaneColumns,
  given: Cursor | undefined,
): () => Promise<{ readonly events: string[]; readonly repliedAtMs: number | undefined }> {
  let cursor = given;
  const readRows = async (): Promise<readonly Row[]> => {
    if (cursor !== undefined) {
      const known = cursor;
      return (await readRowsAfter(runner, lane, known)).filter(({ id }) => !isKnown(known, id));
    }
    const rows = (await runner.read(call(latestOfUser, { ...lane, limit: latestCount }))).toReversed();
    cursor = createCursor(rows.length < latestCount ? 0 : (rows[0]?.id ?? 0) - 1);
    return rows;
  };
  return async () => {
    const rows = await readRows();
    const events = rows.map((row) => {
      const passed = advance(cursor ?? createCursor(0), row, hasOthers ? clock.now() : undefined);
      cursor = passed;
      return formatMessageEvent(row, passed);
    });
    const reply = rows.findLast(({ direction, status }) => direction === 'outbound' && status !== 'failed');
    return { events, repliedAtMs: reply?.created_at_ms };
  };
}

const readRowsAfter = (runner: DurableStore['runner'], lane: LaneColumns, { floor }: Cursor) =>
  runner.read(call(messagesOfUser, { ...lane, after: floor, limit: pageSize }));

/**
 * A message as the browser gets it. A failed one is not shown, but the cursor passes it. Of two that are stored at the same time, the one
 * with the higher number may become visible first: `order` tells the browser where the other stands.
 */
function formatMessageEvent(row: Row, cursor: Cursor): string {
  const { message_id, direction, status, created_at_ms: atMs } = row;
  if (status === 'failed') return `id: ${writeCursor(cursor)}\n\n`;
  const data = { messageId: decodeText(message_id), direction, status, atMs, order: row.id, message: JSON.parse(row.message) as unknown };
  return `id: ${writeCursor(cursor)}\nevent: message\ndata: ${JSON.stringify(data)}\n\n`;
}
