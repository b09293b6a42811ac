import { setImmediate as turn } from 'node:timers/promises';
import { createFunctionWorkers } from '../../packages/drivers/src/index.ts';
import { hostileFunctions, hostileVisits } from '../../packages/drivers/test/hostile-work.ts';
import { isHiloError } from '../../packages/engine/src/contract/index.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { threadWork } from '../thread-work.ts';

/** How long one turn of the event loop takes while visits, functions and their calls are meant to hold it up (P20). */
export async function eventLoop(quick: boolean, progress: Progress): Promise<Part> {
  const workers = createFunctionWorkers({
    limits: { calls: 100 },
    dialer: {
      request: ({ url }) => Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(1_000_000, 'a'), url, retryAfterMs: undefined }),
    },
  });
  for (const visit of hostileVisits) attempt(visit); // compiled, as in a process that has run for a while
  let isOver = false;
  const calls = hostileFunctions.map((source, index) =>
    workers.call({ companyId: '1', functionId: `fn-${index}`, source, deployment: 0 }, { body: null, timeoutMs: 3_000 }),
  );
  const ended = Promise.all(calls).finally(() => (isOver = true));
  const turnsMs: number[] = [];
  for (let next = 0; !isOver || turnsMs.length < (quick ? 2_000 : 20_000); next += 1) {
    progress.say(`event loop: turn ${next}`);
    const workedMs = threadWork();
    // One visit in four turns: in between there is what the functions send.
    if (next % 4 === 0) attempt(hostileVisits[(next / 4) % hostileVisits.length] ?? (() => undefined));
    await turn();
    turnsMs.push(workedMs());
  }
  await ended;
  await workers.close();
  progress.clear();
  const sorted = turnsMs.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.ceil((sorted.length - 1) * share)] ?? Number.NaN;
  return {
    name: 'One turn of the event loop among hostile visits and functions',
    unit: 'ms',
    contestants: [
      { name: 'median', median: at(0.5) },
      { name: 'p99', median: at(0.99) },
      { name: 'p99.9', median: at(0.999) },
      { name: 'the longest', median: at(1) },
    ],
    aims: [atMost('p99.9 of a turn, ms', at(0.999), 50), atMost('the longest turn, ms', at(1), 200)],
  };
}

/** An expression that is refused counts with what that took. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!isHiloError(error, 'EXPRESSION')) throw error;
  }
}
