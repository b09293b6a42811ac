import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Ended, ended, startHilo } from '../hilo-process.ts';
import type { ServiceProcess } from '../service-process.ts';
import { runtimeOfTests } from '../data/runtime.ts';
import { callerOf } from './caller.ts';
import { check } from './faults/check.ts';
import { untilAnswered } from './faults/two.ts';
import { faultsWorkspace, openLedger, startLoad } from './faults/world.ts';
import { describeOverPostgres, type OpenPlace, openPlace, type Place } from './place.ts';

/** How often a service is killed in each step of the move. Where that is asked for, PostgreSQL is moved from and to as well. */
const isAsked = process.env['HILO_TEST_KILLS'] !== undefined;
const killsAsked = Number(process.env['HILO_TEST_KILLS'] ?? 1);

const secretKey = Buffer.alloc(32, 5).toString('base64');

/** Runs `hilo move`, and ends the service that does it while it does: the command is then repeated until it is done. */
async function moveThroughKills(args: readonly string[], service: () => ServiceProcess, restart: () => Promise<void>): Promise<Ended> {
  for (let kills = 0; kills < killsAsked; kills += 1) {
    const command = startHilo(['move', ...args], { env: { HILO_SECRET_KEY: secretKey } });
    command.stdin.end();
    const over = ended(command);
    // Long enough that it has begun, each time somewhere else.
    await Promise.race([over, pause(700 + 300 * kills)]);
    await service().end('SIGKILL');
    await over;
    await restart();
  }
  const command = startHilo(['move', ...args], { env: { HILO_SECRET_KEY: secretKey } });
  command.stdin.end();
  return ended(command);
}

/** Moves the company of a place into an empty place under load, and kills the services of both meanwhile. @returns what broke a promise */
async function moveUnderLoad(openFrom: OpenPlace, openTo: OpenPlace): Promise<readonly string[]> {
  await using ledger = await openLedger();
  using here = await openFrom(faultsWorkspace(ledger.address));
  using there = await openTo({ companies: [] });
  const env = { HILO_EGRESS_ALLOW: ledger.address, HILO_SECRET_KEY: secretKey };
  let [a, b] = [await here.start([], env), await there.start([], env)];
  using _ended = {
    [Symbol.dispose]() {
      for (const one of [a, b]) one.signal('SIGKILL');
    },
  };
  let urls = (): readonly string[] => [a.url];
  const load = startLoad(() => urls(), 3);
  await untilAnswered(load, 30);

  const file = join(here.directory, 'company.jsonl');
  const out = await moveThroughKills(
    ['out', '1', file, ...storeOf(here)],
    () => a,
    async () => void (a = await here.start([], env)),
  );
  expect(out).toMatchObject({ code: 0, stderr: '' });
  const into = await moveThroughKills(
    ['in', file, ...storeOf(there)],
    () => b,
    async () => void (b = await there.start([], env)),
  );
  expect(into).toMatchObject({ code: 0, stderr: '' });
  urls = () => [b.url, a.url];
  await untilAnswered(load, 30);
  urls = () => [b.url];
  const redirected = startHilo(['move', 'redirect', '1', b.url, '--cell', 'b', ...storeOf(here)], { env: { HILO_SECRET_KEY: secretKey } });
  redirected.stdin.end();
  expect(await ended(redirected)).toMatchObject({ code: 0 });
  await untilAnswered(load, 30);
  let late = await lateHook(a);
  // Another process may have told it a moment ago.
  while (late.status === 503) late = await pause(100).then(() => lateHook(a));
  expect(late).toEqual({ status: 421, cell: 'b' });

  const promised = await load.stop();
  expect(promised.orders.length).toBeGreaterThan(3);
  let findings: readonly string[] = [];
  // What was accepted last may wait for its turn, and begins only then.
  for (let looks = 0; looks < 20; looks += 1) {
    findings = check(promised, ledger.deeds, await callerOf(b.url).atRest('1'));
    if (findings.length === 0) break;
    await pause(1_000);
  }
  return findings;
}

async function lateHook({ url }: ServiceProcess): Promise<{ readonly status: number; readonly cell: string | null }> {
  const { status, headers } = await callerOf(url).hook('order/web/hook', { user: '5215500000000', number: 'late' });
  return { status, cell: headers.get('x-hilo-cell') };
}

/** The flags that name a place's store. */
const storeOf = ({ directory, databaseUrl }: Place): readonly string[] => [
  '--data',
  directory,
  ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
];

const onSqlite: OpenPlace = async (workspace) => openPlace(workspace);
const timeout = 240_000 + 60_000 * killsAsked;

describe.skipIf(runtimeOfTests !== 'sqlite')('a company that moves under load, its services killed meanwhile', () => {
  it(`loses nothing, does nothing under two keys and keeps the order, through ${2 * killsAsked} kills (P2, P4, P7 to P10)`, {
    timeout,
  }, async () => {
    expect(await moveUnderLoad(onSqlite, onSqlite)).toEqual([]);
  });
});

describeOverPostgres('a company that moves under load, its services killed meanwhile', (open) => {
  it.skipIf(!isAsked || runtimeOfTests !== 'sqlite').each([
    ['PostgreSQL to PostgreSQL', open, open],
    ['SQLite to PostgreSQL', onSqlite, open],
    ['PostgreSQL to SQLite', open, onSqlite],
  ])(
    `loses nothing, does nothing under two keys and keeps the order, from %s through ${2 * killsAsked} kills (P2, P4, P7 to P10)`,
    { timeout },
    async (_stores, from, to) => {
      expect(await moveUnderLoad(from, to)).toEqual([]);
    },
  );
});
