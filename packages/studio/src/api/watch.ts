// Streams of server-sent events. What reads them comes with the first stream: nothing is drawn from it.
import type { EventSourceMessage } from 'eventsource-parser';

/** How a stream of events is opened: the host's own `fetch` carries its authentication. */
export type OpenStream = (headers: { readonly [name: string]: string }, signal: AbortSignal) => Promise<Response>;

/** Between attempts while the service is not reached: doubled each time, half a minute at most. */
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Follows a stream of server-sent events until it is aborted, and reconnects at its last position when it ends or is cut.
 *
 * @param onEvent - called with each event; with `open` at each connection, since events in between may not be repeated
 */
export async function watchEvents(
  open: OpenStream,
  { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent: (name: string, data: unknown) => void },
): Promise<void> {
  let lastId: string | undefined;
  let retryMs = firstRetryMs;
  const heard = ({ event = 'message', data, id }: EventSourceMessage): void => {
    lastId = id ?? lastId;
    onEvent(event, JSON.parse(data));
  };
  while (!signal.aborted) {
    try {
      const response = await open({ accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) }, signal);
      if (!response.ok || response.body === null) throw new Error(`The service answered ${response.status}`);
      const { createParser } = await import('eventsource-parser');
      onEvent('open', undefined);
      const parser = createParser({ onEvent: heard });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        retryMs = firstRetryMs;
        parser.feed(chunk.value);
      }
    } catch {
      // Unreachable, refused or cut: not reported, since the view stays readable. The next attempt is below.
    }
    await pause(retryMs, signal);
    retryMs = Math.min(longestRetryMs, retryMs * 2);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
