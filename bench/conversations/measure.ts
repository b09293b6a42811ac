import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Progress } from '../progress.ts';
import { percentile } from '../statistics.ts';
import { type Program, startServer } from '../server/start-server.ts';
import { client, type Place } from './fill.ts';
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

/** The client that the drivers use, as far as it is used here. */
interface Undici {
  readonly Client: new (
    origin: string,
  ) => {
    request(options: {
      readonly method: 'GET';
      readonly path: string;
      readonly headers: { readonly [name: string]: string };
    }): Promise<{ readonly statusCode: number; readonly body: { bytes(): Promise<Uint8Array> } }>;
    close(): Promise<void>;
  };
}

const { Client } = createRequire(new URL('../../packages/drivers/package.json', import.meta.url))('undici') as Undici;

const headers = { authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}` };

const serving = ({ data, databaseUrl }: Place): Program => ({
  title: 'Hilo',
  files: {},
  args: () => [
    join(import.meta.dirname, '../../packages/server/src/cli/main.ts'),
    'serve',
    '--port=0',
    '--log=json',
    `--data=${data}`,
    ...(databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`]),
  ],
  isUp: /"address":"(http:[^"]+)".*"Hilo is up"/,
  path: '/v1/external/conversations',
  calls: 'orders',
});

/**
 * Starts a service over a store that is filled, and asks each question again and again over one connection.
 *
 * @param directory - for what the service prints
 * @throws {Error} for an answer other than 200, and for a plan that goes through a table from end to end
 */
export async function askConversations(place: Place, directory: string, times: number, progress: Progress): Promise<readonly Asked[]> {
  const server = await startServer(serving(place), directory);
  const connection = new Client(server.origin);
  const once = async (path: string): Promise<{ readonly tookMs: number; readonly bytes: number }> => {
    const sentMs = performance.now();
    const { statusCode, body } = await connection.request({ method: 'GET', path, headers });
    const bytes = (await body.bytes()).byteLength;
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
  const plans = await plansOf(place, questions); // now that nobody has the file for themselves
  return asked.map((answered) => ({ ...answered, plan: plans.get(answered.question) ?? [] }));
}

/** The first answers find nothing in memory. */
const warmUps = 3;
