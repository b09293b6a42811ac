// A service that is killed while it does a job: `kill -9` at any instant of a migration and of its undoing (M7).
import { seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, type ServiceProcess } from '../service-process.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { openPlace } from './place.ts';

/** `HILO_JOB_KILLS=10000` sets another number. */
const kills = Number(process.env['HILO_JOB_KILLS'] ?? 4);
const random = seededRandom(fc.readConfigureGlobal().seed ?? 1);
const share = (): number => (random.bytes(1)[0] ?? 0) / 256;
/** Executions that wait; so many a second are migrated, so that each process finds work left. */
const [waiting, rate] = [300, 400];

const canvas = (label: string): object => ({
  schemaVersion: 1,
  id: 'waits',
  name: 'Waits',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { name: 'never' } },
    { id: 'done', type: 'end', data: { label } },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
});

interface Job {
  readonly status: string;
  readonly cursor: number;
  readonly counts: { readonly [outcome: string]: number };
  readonly atLeast: boolean;
}

const admin = async <Body>({ url }: ServiceProcess, method: string, path: string, body?: object): Promise<Body> => {
  const answer = await ask(url, `/admin/v1${path}`, { method, ...(body !== undefined && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
};

/** Starts what is to wait. @returns the ids */
async function begin(service: ServiceProcess): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < waiting; from += 20)
    ids.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { executionId } = await admin<{ readonly executionId: string }>(service, 'POST', '/workflows/waits/start?companyId=1');
          return executionId;
        }),
      )),
    );
  return ids;
}

async function publish(service: ServiceProcess, label: string): Promise<void> {
  await admin(service, 'PUT', '/workflows/waits?companyId=1', canvas(label));
  await admin(service, 'POST', '/workflows/waits/publish?companyId=1');
}

/** Waits until a job has looked at so many, or has ended. */
async function progressed(service: ServiceProcess, jobId: string, cursor: number): Promise<Job> {
  for (;;) {
    const job = await admin<Job>(service, 'GET', `/jobs/${jobId}`);
    if (job.status === 'done' || job.cursor >= cursor) return job;
  }
}

describe('a service that is killed while it migrates', () => {
  it(`migrates each once, ends its job by itself, and takes all of it back, killed ${kills} times`, {
    timeout: 120_000 + kills * 30_000,
  }, async () => {
    using place = openPlace(changed(await inlineExample(), { '/companies/0/workflows': [], '/companies/1/workflows': [] }));
    let service = await place.start();
    await publish(service, 'first');
    const ids = await begin(service);
    await publish(service, 'second');
    let [dead, version] = [0, 1];
    while (dead < kills) {
      const to = version === 1 ? 2 : 1;
      const migration = { workflowId: 'waits', from: version, to };
      const { jobId } = await admin<{ readonly jobId: string }>(service, 'POST', '/workflows/waits/migrations?companyId=1', {
        migration,
        rate,
      });
      for (let kill = 0; kill < 4 && dead < kills; kill += 1) {
        const { status } = await progressed(service, jobId, Math.floor((waiting * (kill + share())) / 5));
        if (status === 'done') break;
        await service.end('SIGKILL');
        dead += 1;
        service = await place.start();
      }
      const job = await progressed(service, jobId, Number.POSITIVE_INFINITY);
      expect(job).toMatchObject({ status: 'done', problems: [] });
      const migrated = Object.values(job.counts).reduce((sum, count) => sum + count, 0);
      expect(job.atLeast || migrated === waiting).toBe(true);
      version = to;
    }
    await service.end('SIGTERM');
    service = await place.start();
    const population = await admin<{ readonly versions: readonly object[] }>(service, 'GET', '/workflows/waits/population?companyId=1');
    expect(population.versions).toMatchObject([{ version, running: 0, waiting, quarantined: 0 }]);
    const rounds = new Set<number>();
    for (const executionId of ids) {
      const { entries } = await admin<{ readonly entries: readonly { readonly type: string }[] }>(
        service,
        'GET',
        `/executions/${executionId}/history`,
      );
      rounds.add(entries.filter(({ type }) => type === 'execution.migrated').length);
    }
    expect(rounds.size).toBe(1); // each was migrated once by each job
    await service.end('SIGTERM');
  });
});
