import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../stores/test/shared-postgres.ts';
import { hilo } from '../hilo-process.ts';
import { startOtherSide } from './canaries/other-side.ts';
import { canary, readableIn, secrets, token } from './canaries/secrets.ts';
import { badTraffic, callOut, goodTraffic, lookAtEverything, think } from './canaries/traffic.ts';
import { canaryWorkspace } from './canaries/workspace.ts';
import { type Answer, type Caller, callerOf } from './caller.ts';
import { openPlace, type Place } from './place.ts';

/** Everything that a service wrote and stored while it was given every secret, in valid and invalid ways. */
interface Trace {
  readonly answers: Buffer;
  readonly output: Buffer;
  readonly files: Buffer;
  /** How many answers of each status there were. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What reached those it called. */
  readonly sent: string;
}

interface Run {
  readonly log: 'json' | 'pretty';
  /** PostgreSQL's, instead of a file. */
  readonly databaseUrl?: string;
  /** @param base - the address of the other side */
  readonly traffic: (caller: Caller, base: string) => Promise<void>;
}

async function run({ log, databaseUrl, traffic }: Run): Promise<Trace> {
  await using otherSide = await startOtherSide();
  const base = `http://${otherSide.address}`;
  using place = openPlace(canaryWorkspace(`${base}/broken`), databaseUrl);
  const answers: Answer[] = [];
  await using service = await place.start(['--log', log, '--egress-allow', `${otherSide.address},127.0.0.1:9`], {
    HILO_ADMIN_TOKEN: secrets.adminToken,
  });
  const caller = callerOf(service.url, (answer) => void answers.push(answer), secrets.adminToken);
  await traffic(caller, base);
  await lookAtEverything(caller);
  const { code, stdout, stderr } = await service.end('SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  if (databaseUrl === undefined) await keepCopies(place);
  return {
    answers: Buffer.from(answers.map(({ status, headers, text }) => `${status} ${JSON.stringify([...headers])} ${text}`).join('\n')),
    output: Buffer.from(stdout + stderr),
    files: Buffer.concat(
      readdirSync(place.directory, { withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'secret.key')
        .map(({ name }) => readFileSync(join(place.directory, name))),
    ),
    statuses: new Map([...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length])),
    sent: otherSide.heard(),
  };
}

/** An export, and the file of the company that moves away, beside the store. */
async function keepCopies({ directory }: Place): Promise<void> {
  const env = { HILO_ADMIN_TOKEN: secrets.adminToken };
  for (const words of [
    ['export', 'exported.json'],
    ['move', 'out', '1', 'moved.jsonl'],
  ]) {
    const file = join(directory, words.at(-1) ?? '');
    const { code, stderr } = await hilo([...words.slice(0, -1), file, '--data', directory], { env });
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  }
}

/** The secrets found in what a service wrote and stored, by place. */
const readable = ({ answers, output, files }: Trace) => ({
  answers: readableIn(answers, sought),
  output: readableIn(output, sought),
  files: readableIn(files, sought),
});
/** Also every private key that the service made itself. */
const sought = { ...secrets, madeKey: '-----BEGIN PRIVATE KEY-----' };
const nothing = { answers: [], output: [], files: [] };

/** What reached the other side: calls are signed in all the same. */
function signedIn({ sent }: Trace): readonly string[] {
  const wanted = { bearer: secrets.bearer, value: secrets.value, query: secrets.query, password: `hilo:${secrets.password}` };
  return [...new Set(readableIn(Buffer.from(sent), wanted).map((line) => line.split(':', 1)[0] ?? ''))].toSorted();
}
const everyCredential = ['bearer', 'password', 'query', 'value'];

/** Calls that fail in every way, and credentials in every wrong place. */
async function everyTraffic(caller: Caller, base: string): Promise<void> {
  const paths = ['/ok', '/refused', '/broken', '/cut', '/away'].map((path) => `${base}${path}`);
  await callOut(caller, [...paths, 'http://127.0.0.1:9/closed', 'http://10.0.0.1/blocked', 'no address']);
  await goodTraffic(caller);
  await think(caller, base);
  await badTraffic(caller);
}

/** Everything that is called repeats what it was given. */
async function echoes(caller: Caller, base: string): Promise<void> {
  await callOut(caller, [`${base}/echo`]);
  await think(caller, base);
}

describe('a secret of the configuration (P31, T17, T23)', () => {
  let databaseUrl = '';
  beforeAll(async () => {
    databaseUrl = await createDatabase();
  }, 120_000);

  it('is in no answer, log line, metric, record, export or file, also when calls fail: SQLite, a log in JSON', async () => {
    const trace = await run({ log: 'json', traffic: everyTraffic });
    for (const line of trace.output.toString().trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(readable(trace)).toEqual(nothing);
    expect(signedIn(trace)).toEqual(everyCredential);
    expect(trace.statuses.get(200)).toBeGreaterThan(20);
    expect(trace.statuses.get(401)).toBeGreaterThan(60);
  });

  it('is in none of them, nor in a row of the database: PostgreSQL with a password, a log for people', async () => {
    const password = token('database-password');
    const url = databaseUrl.replace('app@', `app:${encodeURIComponent(password)}@`);
    const trace = await run({ log: 'pretty', databaseUrl: url, traffic: everyTraffic });
    expect(readable(trace)).toEqual(nothing);
    const all = Buffer.concat([trace.answers, trace.output, trace.files]);
    expect(readableIn(all, { password })).toEqual([]);
    expect(readableIn(await rowsOf(url))).toEqual([]);
  });

  it('is not revealed by an other side that echoes it', async () => {
    const trace = await run({ log: 'json', traffic: echoes });
    for (const path of ['/echo/v1/chat/completions', '/echo/mcp', '/whatsapp_business_encryption']) expect(trace.sent).toContain(path);
    expect(trace.statuses.get(427)).toBe(1);
    expect(signedIn(trace)).toEqual(everyCredential);
    expect(readable(trace)).toEqual(nothing);
  });

  it('is not repeated by a service that does not start for it', async () => {
    const [short, unreachable] = [canary('short-key'), token('unreachable')];
    using place = openPlace({});
    const start = ['serve', '--port', '0', '--data', place.directory];
    const ended = await Promise.all([
      hilo(start, { env: { HILO_SECRET_KEY: short } }),
      hilo([...start, '--database-url', `postgres://hilo:${encodeURIComponent(unreachable)}@127.0.0.1:9/none`]),
      hilo(start, { env: { HILO_ADMIN_TOKEN: `${secrets.adminToken} with a blank` } }),
    ]);
    for (const { code, stdout, stderr } of ended) {
      expect(code).toBeGreaterThan(0);
      expect(stderr).not.toBe('');
      expect(readableIn(Buffer.from(stdout + stderr), { ...secrets, short, unreachable })).toEqual([]);
    }
  });
});

/** Every row of every table, as text. */
async function rowsOf(url: string): Promise<Buffer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ readonly name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ readonly text: string }>(`select row_to_json(t)::text as text from ${name} t`);
      texts.push(...rows.map(({ text }) => text));
    }
    return Buffer.from(texts.join('\n'));
  } finally {
    await client.end();
  }
}
