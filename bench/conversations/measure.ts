// How long questions about conversations take, over HTTP and in the database.
import { HttpClient } from '../clients.ts';
import type { Progress } from '../progress.ts';
import { percentile } from '../statistics.ts';
import { authorization } from '../server/credentials.ts';
import { serving } from '../server/hilo.ts';
import { type Program, startServer } from '../server/start-server.ts';
import type { Place } from './fill.ts';
import { plansOf } from './plans.ts';
import { type Question, questions } from './questions.ts';

/** How long one question took, over HTTP, to the last byte of the answer. */
export interface Asked {
  readonly question: Question;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
  /** What the database does for it. */
  readonly plan: readonly string[];
}

const overStore = ({ data, databaseUrl }: Place): Program =>
  serving({ title: 'Hilo', files: {}, path: '/v1/external/conversations', calls: 'orders' }, () => [
    `--data=${data}`,
    ...(databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`]),
  ]);

/**
 * Starts a service on a filled store, and sends each query repeatedly over one connection.
 *
 * @param directory - for the output of the service
 * @throws {Error} for an answer other than 200, and for a plan that scans a table
 */
export async function askConversations(place: Place, directory: string, times: number, progress: Progress): Promise<readonly Asked[]> {
  const server = await startServer(overStore(place), directory);
  const connection = new HttpClient(server.origin);
  const once = async (path: string): Promise<{ readonly tookMs: number; readonly bytes: number }> => {
    const sentMs = performance.now();
    const { statusCode, body } = await connection.request({ method: 'GET', path, headers: { authorization } });
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.byteLength; // not kept: what the caller does with them is the caller's time
    if (statusCode !== 200) throw new Error(`The service answered ${statusCode} to ${path}`);
    return { tookMs: performance.now() - sentMs, bytes };
  };
  const asked: Omit<Asked, 'plan'>[] = [];
  for (const question of questions) {
    progress.say(question.title);
    for (let time = 0; time < warmUps; time += 1) await once(question.path);
    const answers = [];
    for (let time = 0; time < times; time += 1) answers.push(await once(question.path));
    const latencies = answers.map(({ tookMs }) => tookMs);
    asked.push({
      question,
      bytes: answers[0]?.bytes ?? 0,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
    });
  }
  await connection.close();
  await server.kill();
  progress.clear();
  const plans = await plansOf(place, questions); // once no process has the file locked
  return asked.map((answered) => ({ ...answered, plan: plans.get(answered.question) ?? [] }));
}

/** The first answers find nothing in memory. */
const warmUps = 3;
