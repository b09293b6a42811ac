// Server-sent events of what is polled in the store: of executions, of workflows, of an inbox. All share the places of their process.
import { createPool } from '@hilo/drivers';
import { isWithin } from '@hilo/engine/contract';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { onceForEach } from '../once-for-each.ts';
import type { Platform } from '../platform.ts';
import { createWake } from '../waiting.ts';
import type { HttpEnv } from './context.ts';
import { tooBusy } from './errors.ts';

/** How often the store is polled for commits of other processes; those of this process are seen at once. */
const pollEveryMs = 1_000;
/** How often a comment is sent, so that no proxy closes a quiet stream. */
const commentEveryMs = 15_000;
/** After this time a stream ends, and the client reconnects with a credential that is checked again. */
const longestMs = 600_000;
/** How often it is looked whether the operator may still do what they could: what was taken from them is taken from open pages, too. */
const recheckEveryMs = 5_000;
/** Each polls the store once a second. One operator may have half of them, and this share however little is left. */
const maxStreams = 400;
const streamShare = 0.25;
const oneStream = { streams: 1 };

/** Places of streams, which the operators of a process share. */
const placesOf = onceForEach((_engine: Platform['engine']) => createPool({ streams: maxStreams }, streamShare));

/** One event, as it is sent. */
export interface StreamEvent {
  readonly event: string;
  readonly data: object;
  readonly id?: string;
}

/** Polls the source. @returns events since the last poll, and whether there will be more */
export type Poll = () => Promise<{ readonly newEvents: readonly StreamEvent[]; readonly isOver: boolean }>;

/** What is watched, and the company that it is of. */
export interface Watched {
  readonly companyId: string;
  readonly poll: Poll;
}

/** How streams look whether a company is still here. */
interface Here {
  readonly companies: { company(companyId: string): object | undefined };
}

/**
 * Answers with a stream of events until the source is over, ten minutes have passed, the caller has left, or the company has moved away.
 *
 * @param listen - lets changes of this process wake the stream. @returns what ends that
 * @throws {HttpError} 503 when too many streams are open, of all or of this operator
 */
export function streamPolled(
  c: Context<HttpEnv>,
  { clock, engine, log, isAccepting, companies }: Pick<Platform, 'clock' | 'engine' | 'log' | 'isAccepting'> & Here,
  operator: string,
  { companyId, poll, listen }: Watched & { readonly listen: (wake: () => void) => readonly (() => void)[] },
): Response {
  const places = placesOf(engine);
  if (!places.take(operator, oneStream))
    throw tooBusy(
      { name: 'event-streams', holder: operator },
      'Too many streams of events are open in this process: close one, or send this again in a moment',
    );
  c.header('x-accel-buffering', 'no'); // a proxy that gathers answers would hold events back
  return streamSSE(c, async (stream) => {
    const wake = createWake(clock);
    const off = listen(wake.wake);
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) places.give(operator, oneStream);
      isHeld = false;
    };
    stream.onAbort(() => {
      leave(); // at once: the caller may ask for another stream
      wake.wake();
    });
    const beganMs = clock.now();
    let quietSinceMs = clock.now();
    let checkedAtMs = clock.now();
    try {
      while (!stream.aborted && !stream.closed && isAccepting() && isWithin(beganMs, longestMs, clock.now())) {
        wake.reset();
        if (!isWithin(checkedAtMs, recheckEveryMs, clock.now())) {
          checkedAtMs = clock.now();
          if ((await c.get('isUnchanged')?.()) === false) break; // the client asks again, as who they are now
        }
        if (companies.company(companyId) === undefined) break;
        const { newEvents, isOver } = await poll();
        for (const { event, data, id } of newEvents)
          await stream.writeSSE({ event, data: JSON.stringify(data), ...(id !== undefined && { id }) });
        if (isOver) break;
        if (newEvents.length > 0) quietSinceMs = clock.now();
        if (!isWithin(quietSinceMs, commentEveryMs, clock.now())) {
          quietSinceMs = clock.now();
          await stream.write(': still here\n\n');
        }
        await wake.sleep(pollEveryMs);
      }
    } catch (error) {
      // The client reconnects, and one that watches an execution misses nothing.
      log.warn({ requestId: c.get('requestId'), error: String(error) }, 'A stream of events ended early');
    } finally {
      leave();
      for (const stop of off) stop();
    }
  });
}
