// A company that leaves while a job of it is under way, and is forgotten where it was: its job goes on where it is, and nothing of it is left.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { MoveCommand, performMove } from '../../src/tenants/moving/move-files.ts';
import { inlineExample } from '../data/inline-example.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { runtimeOfTests } from '../data/runtime.ts';
import { dumpTables } from '../data/table-dump.ts';

const patient = (label: string) => ({
  schemaVersion: 1,
  id: 'patient',
  name: 'Patient',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'delay', data: { duration: 'P1D' } },
    { id: 'done', type: 'end', data: { label } },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'elapsed', target: 'done' },
  ],
});

const secretKey = Buffer.alloc(32, 7).toString('base64');
const waiting = 30;

/** Does something while time passes. */
async function during<Result>({ clock }: Place, work: Promise<Result>): Promise<Result> {
  let isOver = false;
  void work.catch(() => undefined).finally(() => (isOver = true));
  while (!isOver) {
    clock.advanceBy(100);
    await setImmediate();
  }
  return work;
}

interface ShownJob {
  readonly status: string;
  readonly cursor: number;
  readonly counts: object;
}

async function manage<Body>(
  service: RunningService,
  request: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Body }> {
  const [method = '', path = ''] = request.split(' ');
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await createManagement(service).request(path, { method, ...init });
  return { status: answer.status, body: (await answer.json()) as Body };
}

/** Lets time pass until the job is so far. */
async function until(service: RunningService, { clock }: Place, jobId: string, isThere: (job: ShownJob) => boolean): Promise<ShownJob> {
  for (;;) {
    const { body } = await manage<ShownJob>(service, `GET /jobs/${jobId}`);
    if (isThere(body)) return body;
    clock.advanceBy(250);
    await setImmediate();
  }
}

describe.skipIf(runtimeOfTests === 'restate')('a company that leaves while a job of it is under way', () => {
  it(
    'has its job done where it is, to each once, and leaves nothing where it is forgotten but the record of acts',
    withPlace(async (here) =>
      withPlace(async (there) => {
        const [a, b] = [await here.open({ secretKey }), await there.open({ secretKey })];
        await a.importWorkspace({ workspace: await inlineExample() });
        const acme = a.engine.company('1');
        await acme.publish(patient('first'));
        const ids: string[] = [];
        for (let index = 0; index < waiting; index += 1) ids.push((await acme.start('patient')).executionId);
        await a.engine.whenIdle();
        await acme.publish(patient('second'));
        const migration = { workflowId: 'patient', from: 1, to: 2 };
        const asked = await manage<{ readonly jobId: string }>(a, 'POST /workflows/patient/migrations?companyId=1', {
          migration,
          rate: 10,
        });
        const { jobId } = asked.body;
        expect((await until(a, here, jobId, ({ cursor }) => cursor > 0)).cursor).toBeLessThan(waiting);

        const file = join(here.directory, 'company');
        const move = (service: RunningService, place: Place, command: object) =>
          during(place, performMove(service.moves, MoveCommand.parse(command)));
        await move(a, here, { do: 'out', companyId: '1', file });
        const before = await acme.execution(ids[0] ?? '').catch(() => undefined);
        expect(before).toBeUndefined();
        await move(b, there, { do: 'in', file });
        expect(await until(b, there, jobId, ({ status }) => status === 'done')).toMatchObject({
          cursor: waiting,
          counts: { same: waiting },
        });
        for (const executionId of ids) {
          const events = (await b.engine.history('1', executionId)).map(({ event }) => event.type);
          expect(events.filter((type) => type === 'execution.migrated')).toEqual(['execution.migrated']);
        }

        await move(a, here, { do: 'forget', companyId: '1' });
        here.clock.advanceBy(2 * 86_400_000); // what would be due is not there
        await a.engine.fireDueTimers();
        await a.engine.whenIdle();
        expect(await manage(a, `GET /jobs/${jobId}`)).toMatchObject({ status: 404 });
        expect(await manage(a, 'GET /jobs?companyId=1')).toMatchObject({ status: 404 });
        const left = Object.entries(await dumpTables(a.store)).filter(([, rows]) =>
          rows.some((row) => 'companyId' in row && row.companyId === '1'),
        );
        expect(left.map(([table]) => table)).toEqual(['audit']);
      })(),
    ),
  );
});
