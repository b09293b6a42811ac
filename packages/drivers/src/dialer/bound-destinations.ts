import type { Clock } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { DriverError, isDialerError } from '../driver-error.ts';
import { createBreaker } from './breaker.ts';
import type { Dialer, DialerRequest, DialerResponse } from './dialer.ts';
import { createQueue } from './queue.ts';

/** Limits on one caller's calls of one destination (P24). */
export interface DestinationBounds {
  /** Calls at once; 16 where left out. */
  readonly maxConcurrent?: number;
  /** Calls that wait for one of those to end; 64 where left out. A further one is `DESTINATION_BUSY`. */
  readonly maxQueued?: number;
  /** Connections that fail one after the other before the destination is left alone; 5 where left out. */
  readonly failuresToOpen?: number;
  /** For how long, until one call may try: the others are `CIRCUIT_OPEN`; 10,000 where left out. */
  readonly openMs?: number;
  readonly clock?: Clock;
}

interface Destination {
  readonly queue: ReturnType<typeof createQueue>;
  readonly breaker: ReturnType<typeof createBreaker>;
}

/** Destinations whose state is remembered; beyond that, those without calls are forgotten. */
const destinationsKept = 1_000;

/**
 * A dialer that spares each destination: bounded concurrent calls, a bounded queue, and a pause when connections fail. Each scope has its
 * own bounds per origin, so that a dead destination costs its own users only (P24).
 */
export function boundDestinations(
  dialer: Dialer,
  { maxConcurrent = 16, maxQueued = 64, failuresToOpen = 5, openMs = 10_000, clock = systemClock }: DestinationBounds = {},
): Dialer {
  const destinations = new Map<string, Destination>();

  const getDestination = ({ scope = '', url }: DialerRequest): Destination => {
    const key = JSON.stringify([scope, URL.parse(url)?.origin ?? '']);
    const known = destinations.get(key);
    if (known !== undefined) return known;
    if (destinations.size >= destinationsKept) {
      for (const [other, { queue }] of destinations) if (queue.isIdle()) destinations.delete(other);
    }
    const destination = {
      queue: createQueue({ maxConcurrent, maxQueued, clock }),
      breaker: createBreaker({ failuresToOpen, openMs, clock }),
    };
    destinations.set(key, destination);
    return destination;
  };

  const call = async (request: DialerRequest, { breaker }: Destination): Promise<DialerResponse> => {
    const report = breaker.admit();
    try {
      const response = await dialer.request(request);
      report('reached');
      return response;
    } catch (error) {
      report(classifyConnection(error));
      throw error;
    }
  };

  return {
    async request(request) {
      const destination = getDestination(request);
      destination.breaker.check(); // before the wait, so that a refused call does not queue
      const { leave, timeoutMs } = await waitForTurn(request, destination);
      let ended: Promise<void> | undefined;
      try {
        const response = await call({ ...request, timeoutMs }, destination);
        ended = response.stream?.ended;
        return response;
      } finally {
        if (ended === undefined) leave();
        else void ended.then(leave);
      }
    },
    close: dialer.close,
  };
}

/** Waits for the turn of a call. @returns the time that the call has from then on, and what ends its turn */
async function waitForTurn({ timeoutMs, signal, queueing }: DialerRequest, { queue }: Destination) {
  if (queueing === undefined) {
    const { leave, waitedMs } = await queue.enter({ timeoutMs, signal });
    return { leave, timeoutMs: Math.max(1, timeoutMs - waitedMs) };
  }
  try {
    const { leave } = await queue.enter(queueing);
    return { leave, timeoutMs };
  } catch (cause) {
    if (!isDialerError(cause) || cause.code !== 'TIMEOUT') throw cause;
    throw new DriverError('DESTINATION_BUSY', 'The destination is busy: the turn of this call did not come in time', { cause });
  }
}

/** Whether an error means that the destination was reached, that it was not, or neither. */
function classifyConnection(error: unknown): 'reached' | 'unreachable' | 'untried' {
  if (!isDialerError(error)) return 'untried';
  if (error.wasSent) return 'reached';
  return error.code === 'CONNECT_FAILED' || error.code === 'DNS_FAILED' || error.code === 'TLS_FAILED' ? 'unreachable' : 'untried';
}
