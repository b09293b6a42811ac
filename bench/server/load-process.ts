// The callers, in a process of their own. They get the address and the duration over IPC; answer the latencies. Each caller has its own
// connection and waits for its answer before it calls again. A wrong answer ends the process.
import { answerParent } from '../processes.ts';
import { percentile } from '../statistics.ts';
import { type CallsName, calls } from './calls.ts';
import { connectRaw } from './raw-connection.ts';

export interface Load {
  readonly origin: string;
  readonly path: string;
  readonly calls: CallsName;
  readonly connections: number;
  readonly durationMs: number;
  /** The number of the first call. */
  readonly first: number;
}

export interface Answered {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function loadOf({ origin, path, calls: name, connections, durationMs, first }: Load): Promise<Answered> {
  const { body: bodyOf, isRight, headers: own } = calls[name];
  const latencies: number[] = [];
  let next = first;
  const beganMs = performance.now();
  const caller = async (): Promise<void> => {
    const connection = await connectRaw(origin);
    for (let sentMs = performance.now(); sentMs - beganMs < durationMs; sentMs = performance.now()) {
      const number = next++;
      const sent = JSON.stringify(bodyOf(number));
      const headers = { 'content-type': 'application/json', ...own(sent) };
      const { status, text } = await connection.request(path, headers, sent);
      latencies.push(performance.now() - sentMs);
      if (status !== 200 || !isRight(text, number)) throw new Error(`Call ${number} to ${origin} was answered ${status}: ${text}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return {
    requests: latencies.length,
    perSecond: latencies.length / ((performance.now() - beganMs) / 1000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

answerParent(loadOf);
