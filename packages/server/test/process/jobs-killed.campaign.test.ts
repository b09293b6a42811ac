// A service that is killed while it does jobs: `kill -9` at any instant of a migration, of its undoing, of acts in bulk and of a publication (M7).
import { seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ask, type ServiceProcess } from '../service-process.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { describeOverEachStore, describeOverRestate, type OpenPlace, type Place } from './place.ts';

/** `HILO_JOB_KILLS=10000` sets another number. */
const kills = Number(process.env['HILO_JOB_KILLS'] ?? 8);
const random = seededRandom(fc.readConfigureGlobal().seed ?? 1);
const share = (): number => (random.bytes(1)[0] ?? 0) / 256;
/** Executions that wait; so many a second are acted on, so that each process finds work left. */
const [waiting, rate] = [300, 400];

const canvas = (label: string): object => ({
  schemaVersion: 1,
  id: 'waits',
  name: 'Waits',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { name: 'one' } },
    { id: 'again', type: 'wait-event', data: { name: 'two' } },
    { id: 'done', type: 'end', data: { label } },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'again' },
    { source: 'again', sourceHandle: 'received', target: 'done' },
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

interface Asked {
  readonly jobId: string;
}

async function publish(service: ServiceProcess, label: string): Promise<void> {
  await admin(service, 'PUT', '/workflows/waits?companyId=1', canvas(label));
  await admin(service, 'POST', '/workflows/waits/publish?companyId=1');
}

/** Starts what is to wait. */
async function begin(service: ServiceProcess): Promise<void> {
  for (let from = 0; from < waiting; from += 20)
    await Promise.all(Array.from({ length: 20 }, () => admin(service, 'POST', '/workflows/waits/start?companyId=1')));
}

/** Waits until a job has looked at so many, or has ended. */
async function progressed(service: ServiceProcess, jobId: string, cursor: number): Promise<Job> {
  for (;;) {
    const job = await admin<Job>(service, 'GET', `/jobs/${jobId}`);
    if (job.status === 'done' || job.cursor >= cursor) return job;
  }
}

/** A service that dies and is started again. */
class Mortal {
  dead = 0;
  readonly #place: Place;
  service: ServiceProcess;

  constructor(place: Place, service: ServiceProcess) {
    this.#place = place;
    this.service = service;
  }

  async die(): Promise<void> {
    await this.service.end('SIGKILL');
    this.dead += 1;
    this.service = await this.#place.start();
  }
}

/** Lets a job be done, killed on the way: it ends by itself, and its counts are those of an undisturbed one. */
async function endKilled(mortal: Mortal, jobId: string, counts: Job['counts']): Promise<void> {
  for (let kill = 0; kill < 4 && mortal.dead < kills; kill += 1) {
    const { status } = await progressed(mortal.service, jobId, Math.floor((waiting * (kill + share())) / 5));
    if (status === 'done') break;
    await mortal.die();
  }
  const job = await progressed(mortal.service, jobId, Number.POSITIVE_INFINITY);
  expect(job).toMatchObject({ status: 'done', problems: [], failure: null, atLeast: false, counts });
}

interface Listed {
  readonly results: readonly { readonly executionId: string; readonly version: number }[];
  readonly nextCursor: string | null;
}

/** The executions of the workflow in a status. */
async function list(service: ServiceProcess, status: string): Promise<Listed['results']> {
  const all: Listed['results'][number][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Listed = await admin(service, 'GET', `/executions?companyId=1&workflowId=waits&status=${status}&limit=200${at}`);
    all.push(...page.results);
    cursor = page.nextCursor;
  }
  return all;
}

/** How often each history has an event. */
async function countEvents(service: ServiceProcess, type: string, of: Listed['results']): Promise<ReadonlySet<number>> {
  const rounds = new Set<number>();
  for (const { executionId } of of) {
    const { entries } = await admin<{ readonly entries: readonly { readonly type: string }[] }>(
      service,
      'GET',
      `/executions/${executionId}/history`,
    );
    rounds.add(entries.filter((entry) => entry.type === type).length);
  }
  return rounds;
}

/** What a service does that is killed, over any store and runtime. */
const killed = (open: OpenPlace): void => {
  it(`does to each what was asked, once, and says how many, killed ${kills} times`, {
    timeout: 240_000 + kills * 60_000, // over PostgreSQL the claim of a process that died runs out first
  }, async () => {
    using place = await open(changed(await inlineExample(), { '/companies/0/workflows': [], '/companies/1/workflows': [] }));
    const mortal = new Mortal(place, await place.start());
    await publish(mortal.service, 'first');
    let latest = 1;
    do {
      await begin(mortal.service);
      await publish(mortal.service, `version ${latest + 1}`);
      latest += 1;
      const migration = { workflowId: 'waits', from: latest - 1, to: latest };
      const asked = await admin<Asked>(mortal.service, 'POST', '/workflows/waits/migrations?companyId=1', { migration, rate });
      await endKilled(mortal, asked.jobId, { same: waiting });
      expect(await countEvents(mortal.service, 'execution.migrated', await list(mortal.service, 'waiting'))).toEqual(new Set([1]));

      const undo = await admin<Asked>(mortal.service, 'POST', `/jobs/${asked.jobId}/undo`);
      await endKilled(mortal, undo.jobId, { undone: waiting });
      expect(new Set((await list(mortal.service, 'waiting')).map(({ version }) => version))).toEqual(new Set([latest - 1]));

      const bulk = async (filter: object, action: object, counts: Job['counts']): Promise<void> => {
        const request = { filter: { workflowId: 'waits', ...filter }, action, atMost: waiting, rate };
        const { jobId } = await admin<Asked>(mortal.service, 'POST', '/executions/bulk?companyId=1', request);
        await endKilled(mortal, jobId, counts);
      };
      await bulk({ status: 'waiting' }, { type: 'cancel', reason: 'Over' }, { cancelled: waiting });
      await bulk({ status: 'cancelled', version: latest - 1 }, { type: 'retry', version: 'latest' }, { retried: waiting });
      const continued = await list(mortal.service, 'waiting');
      expect(continued.length).toBe(waiting);
      await bulk({ status: 'waiting', nodeId: 'wait' }, { type: 'signal', name: 'one' }, { signalled: waiting });
      await bulk({ status: 'waiting', nodeId: 'again' }, { type: 'signal', name: 'two' }, { signalled: waiting });
      const ended = new Set((await list(mortal.service, 'completed')).map(({ executionId }) => executionId));
      expect(continued.filter(({ executionId }) => !ended.has(executionId))).toEqual([]);

      // A publication has one page: the process dies before it is due, and at any instant of it.
      await admin(mortal.service, 'PUT', '/workflows/waits?companyId=1', canvas(`version ${latest + 1}`));
      const { jobId } = await admin<Asked>(mortal.service, 'POST', '/workflows/waits/publish?companyId=1', {
        at: new Date(Date.now() + 10_000).toISOString(), // a busy machine takes long to ask
      });
      if (mortal.dead < kills) await mortal.die();
      const job = await progressed(mortal.service, jobId, Number.POSITIVE_INFINITY);
      expect(job).toMatchObject({ status: 'done', failure: null, counts: { published: 1 } });
      const { results } = await admin<{ readonly results: readonly { readonly version: number }[] }>(
        mortal.service,
        'GET',
        '/workflows/waits/versions?companyId=1',
      );
      latest += 1;
      expect(Math.max(...results.map(({ version }) => version))).toBe(latest);
    } while (mortal.dead < kills);
    expect(await mortal.service.end('SIGTERM')).toMatchObject({ code: 0 });
  });
};

const mortal = 'a service that is killed while it does jobs';
describeOverEachStore(mortal, killed);
describeOverRestate(mortal, killed);
