import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Ended, ended, startHilo } from '../hilo-process.ts';
import { runtimeOfTests } from '../data/runtime.ts';
import { type ServiceProcess, startService } from '../service-process.ts';
import { callerOf } from './caller.ts';
import { check } from './faults/check.ts';
import { untilAnswered } from './faults/two.ts';
import { faultsWorkspace, openLedger, startLoad } from './faults/world.ts';
import { openPlace } from './place.ts';

/** How often a service is killed in each step of the move. */
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

describe.skipIf(runtimeOfTests !== 'sqlite')('a company that moves under load, its services killed meanwhile', () => {
  it(`loses nothing, does nothing under two keys and keeps the order, through ${2 * killsAsked} kills (P2, P4, P7 to P10)`, {
    timeout: 240_000 + 60_000 * killsAsked,
  }, async () => {
    await using ledger = await openLedger();
    using place = openPlace(faultsWorkspace(ledger.address));
    const there = mkdtempSync(join(tmpdir(), 'hilo-moved-'));
    using _removed = { [Symbol.dispose]: () => rmSync(there, { recursive: true, force: true }) };
    const env = { HILO_EGRESS_ALLOW: ledger.address, HILO_SECRET_KEY: secretKey };
    const [startA, startB] = [() => place.start([], env), () => startService(there, [], env)];
    let [a, b] = [await startA(), await startB()];
    using _ended = {
      [Symbol.dispose]() {
        for (const one of [a, b]) one.signal('SIGKILL');
      },
    };
    let urls = (): readonly string[] => [a.url];
    const load = startLoad(() => urls(), 3);
    await untilAnswered(load, 30);

    const file = join(place.directory, 'company.jsonl');
    const out = await moveThroughKills(
      ['out', '1', file, '--data', place.directory],
      () => a,
      async () => void (a = await startA()),
    );
    expect(out).toMatchObject({ code: 0, stderr: '' });
    const into = await moveThroughKills(
      ['in', file, '--data', there],
      () => b,
      async () => void (b = await startB()),
    );
    expect(into).toMatchObject({ code: 0, stderr: '' });
    urls = () => [b.url, a.url];
    await untilAnswered(load, 30);
    urls = () => [b.url];
    const redirected = startHilo(['move', 'redirect', '1', b.url, '--cell', 'b', '--data', place.directory]);
    redirected.stdin.end();
    expect(await ended(redirected)).toMatchObject({ code: 0 });
    const hook = await callerOf(a.url).hook('order/web/hook', { user: '5215500000000', number: 'late' });
    expect({ status: hook.status, cell: hook.headers.get('x-hilo-cell') }).toEqual({ status: 421, cell: 'b' });
    await untilAnswered(load, 30);

    const promised = await load.stop();
    const executions = await callerOf(b.url).atRest('1');
    expect(check(promised, ledger.deeds, executions)).toEqual([]);
    expect(promised.orders.length).toBeGreaterThan(3);
  });
});
