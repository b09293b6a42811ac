import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { childOf } from '../../../restate/test/kills.ts';
import { describeWithRestate } from '../../../restate/test/restate-program.ts';
import { freePort } from '../../../stores/test/free-port.ts';
import type { ServiceProcess } from '../service-process.ts';
import { askAgainMs, type Caller, callerOf, type Execution, isGone } from './caller.ts';
import { check } from './faults/check.ts';
import { untilAnswered } from './faults/two.ts';
import { faultsWorkspace, openLedger, type Promised, startLoad } from './faults/world.ts';
import { openPlace } from './place.ts';

/** How many faults are met: each kind once where nothing else is said. */
const faultsAsked = Number(process.env['HILO_TEST_FAULTS'] ?? 3);

type Restart = () => Promise<ServiceProcess>;

const faults = {
  async kill(service: ServiceProcess, restart: Restart) {
    await service.end('SIGKILL');
    return restart();
  },
  /** The log of everything under way: the process starts it again. */
  async killServer(service: ServiceProcess) {
    const server = await childOf(await childOf(service.pid)); // a guard is in between, which ends the server with the process
    if (server === undefined) throw new Error('There is no Restate server');
    process.kill(server, 'SIGKILL');
    return service;
  },
  async roll(service: ServiceProcess, restart: Restart) {
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    return restart();
  },
};

/** All executions, once everything that was accepted has one and none is at work. */
async function allOf(caller: Caller, { orders, texts }: Promised): Promise<readonly Execution[]> {
  const accepted = orders.length + [...texts.values()].reduce((sum, said) => sum + said.length, 0);
  for (;;) {
    const found = await caller.atRest('1').catch((error: unknown) => (isGone(error) ? [] : Promise.reject(error)));
    if (found.length >= accepted && found.every(({ status }) => status === 'completed')) return found;
    await pause(askAgainMs);
  }
}

describeWithRestate('a process over Restate under load', (program) => {
  it(`loses nothing, does nothing twice and keeps the order, through ${faultsAsked} faults (P2, P4, P9, P10)`, {
    timeout: 180_000 + 60_000 * faultsAsked,
  }, async () => {
    await using ledger = await openLedger();
    using place = openPlace(faultsWorkspace(ledger.address));
    const port = String(await freePort());
    const args = ['--port', port, '--runtime', 'restate', '--restate-server', program];
    const start: Restart = () => place.start(args, { HILO_EGRESS_ALLOW: ledger.address });
    let service = await start();
    try {
      const load = startLoad(() => [`http://127.0.0.1:${port}`], 2);
      const kinds = [faults.kill, faults.killServer, faults.roll];
      for (let met = 0; met < faultsAsked; met += 1) {
        await untilAnswered(load, 10);
        service = await (kinds[met % kinds.length] ?? faults.kill)(service, start);
      }
      await untilAnswered(load, 10);
      const promised = await load.stop();
      const executions = await allOf(callerOf(service.url), promised);
      expect(check(promised, ledger.deeds, executions)).toEqual([]);
    } finally {
      await service.end('SIGKILL');
    }
  });
});
