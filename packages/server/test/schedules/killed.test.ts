// Two processes over one store, of which one dies at any of its writes: each contact is started once for a due time, whoever does it.
import { setImmediate } from 'node:timers/promises';
import { createEngine } from '@hilo/engine';
import type { Canvas } from '@hilo/engine/contract';
import { canvasHash } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import { createRunner, type DurableStore, openSqliteStore } from '@hilo/stores';
import { createRecordingDrivers, createVirtualClock, seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { createJobRunner } from '../../src/platform/jobs/job-runner.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { people } from '../../src/platform/tables/companies.ts';
import { groupMembers } from '../../src/platform/tables/contacts.ts';
import { scheduledStarts, schedules } from '../../src/platform/tables/schedules.ts';
import { audienceJob, createScheduler, dueStartsJob } from '../../src/schedules/schedules.ts';
import type { Service } from '../../src/service/service.ts';
import { fakeManagement } from '../management/fake-management.ts';

const companyId = '1';
const count = 12;
const ids = Array.from({ length: count }, (_, index) => String(51_999_000_000 + index));

const canvas = (forWhom: object | string): Canvas =>
  ({
    schemaVersion: 1,
    id: 'clocked',
    name: 'Clocked',
    kind: 'skill',
    settings: {},
    variables: {},
    nodes: [
      { id: 'begin', type: 'start', data: { schedule: { cron: '1 * * * *', for: forWhom } } },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [{ source: 'begin', target: 'done' }],
  }) as Canvas;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

it('each contact, and the company, is started once for a due time', async () => {
  await using management = await fakeManagement({ companies: [companyId], kinds: [] });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.boolean(), async (diesAtWrite, isGroup) => {
      const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
      const clock = createVirtualClock();
      const engine = createEngine({
        nodes: standardNodes,
        drivers: createRecordingDrivers().drivers,
        clock,
        random: seededRandom(1),
        store: { executions: store.executions, canvases: store.canvases },
      });
      await engine.start();
      const started: string[] = [];
      engine.on('execution.started', ({ origin }) => void started.push(origin.userId ?? ''));
      const one = canvas(isGroup ? { group: 'vip' } : 'company');
      await store.runner.write([
        ...people.insert(ids.map((userId) => ({ companyId, userId, phone: userId, isListed: true }))),
        ...groupMembers.insert(ids.map((userId) => ({ companyId, groupName: 'vip', userId }))),
      ]);
      await store.canvases.publish(companyId, one, canvasHash(one), clock.now());

      const process = (runner: DurableStore['runner'], seed: number) => {
        const own = { ...store, runner, durability: { ...store.durability, database: 'postgres' as const } };
        const kinds = [audienceJob, dueStartsJob];
        const random = seededRandom(seed);
        const jobRunner = createJobRunner(kinds, {
          store: own,
          clock,
          random,
          log: silent,
          isBusy: () => false,
          atWork: () => 0,
          onCounted: () => {},
        });
        const jobs = createJobs(kinds, { store: own, clock, random, wake: jobRunner.wake });
        const { companies } = management.service;
        const scheduler = createScheduler({ store: own, companies, jobs, clock, random, log: silent });
        const service: Pick<Service, 'store' | 'clock' | 'engine' | 'companies'> = { store: own, clock, engine, companies };
        return {
          async start() {
            await jobRunner.start(service);
            scheduler.start();
          },
          async stop() {
            await scheduler.stop();
            await jobRunner.stop();
          },
        };
      };
      let writes = 0;
      const dying = createRunner({
        readEach: store.runner.readEach,
        write: async (calls) => {
          writes += 1;
          const written = writes <= diesAtWrite ? await store.runner.write(calls) : undefined;
          // What was written at the last moment is not known to have been.
          if (written === undefined || writes === diesAtWrite) throw new Error('This process is dead');
          return written;
        },
      });
      const [mortal, other] = [process(dying, 2), process(store.runner, 3)];
      await mortal.start().catch(() => undefined);
      await other.start();
      const endMs = clock.now() + 150_000; // it falls due after a minute, and a claim of the dead runs out half a minute later
      while (clock.now() < endMs) {
        await store.runner.write([schedules.remove({ companyId, workflowId: 'none', nodeId: 'none', kind: 'cron' })]);
        await setImmediate();
        clock.advanceTo(Math.min(endMs, Math.max(clock.nextMs() ?? endMs, clock.now() + 1)));
      }
      await other.stop();
      expect(started.toSorted()).toEqual(isGroup ? ids : ['']);
      const rows = await store.runner.read(scheduledStarts.all(companyId));
      expect(rows.map(({ status, counts }) => [status, counts?.['started']])).toEqual([['started', isGroup ? count : undefined]]);
      await engine.stop();
      await store.close();
    }),
    { numRuns: 6 },
  );
});
