// Numbers of a workflow: counted once whatever counts them, after removals too, and shown by GET …/numbers.
import { setImmediate } from 'node:timers/promises';
import { encodeText, pruneEndedOf } from '@hilo/stores';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistoryCounter } from '../../src/numbers/count-histories.ts';
import { type FakeManagement, fakeManagement, pausing } from '../management/fake-management.ts';
import { started } from '../management/started.ts';

interface Numbers {
  readonly entered: number;
  readonly ended: { readonly [status: string]: number };
  readonly isBehind: boolean;
  readonly versions: readonly number[];
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly visits: number;
    readonly standing: number;
    readonly ended: { readonly [status: string]: number };
    readonly p50Ms: number | null;
    readonly ports: readonly { readonly port: string; readonly count: number; readonly p50Ms: number | null }[];
  }[];
}

async function read({ ask }: FakeManagement, query = ''): Promise<Numbers> {
  const { status, body } = await ask('GET', `/workflows/pausing/numbers?companyId=1&by=port${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as Numbers;
}

/** What the histories of all executions say, counted without the code under test: visits by node, ports by node. */
async function countByHand({ service }: FakeManagement, counts = new Map<string, number>()): Promise<Map<string, number>> {
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const { results } = await service.engine.company('1').executions({ limit: 1_000 });
  for (const { executionId, state } of results) {
    add('entered');
    if (state.status !== 'waiting') add(`ended ${state.status}`);
    const entries = (await service.engine.company('1').history(executionId)).flatMap((record) => record.entries);
    for (const visit of new Set(entries.map(({ nodeId, visitNumber }) => JSON.stringify([nodeId, visitNumber]))))
      add(`visit ${(JSON.parse(visit) as [string])[0]}`);
    for (const { nodeId, port } of entries) if (port !== undefined) add(`left ${nodeId} ${port}`);
  }
  return counts;
}

/** An hour passes, and whatever is due by then is done. */
async function passHour({ clock, service }: FakeManagement): Promise<void> {
  clock.advanceBy(3_600_000);
  for (let isDone = false; !isDone; ) {
    await setImmediate();
    await service.engine.whenIdle();
    const { results } = await service.engine.company('1').executions({ limit: 1_000 });
    isDone = results.every(({ state: { wait } }) => (wait?.dueAtMs ?? Number.POSITIVE_INFINITY) > clock.now());
  }
}

const flatten = ({ entered, ended, nodes }: Numbers): Map<string, number> =>
  new Map(
    [
      ['entered', entered] as const,
      ...Object.entries(ended).map(([status, count]) => [`ended ${status}`, count] as const),
      ...nodes.flatMap(({ nodeId, visits, ports }) => [
        [`visit ${nodeId}`, visits] as const,
        ...ports.map(({ port, count }) => [`left ${nodeId} ${port}`, count] as const),
      ]),
    ].filter(([, count]) => count > 0),
  );

const sorted = (counts: Map<string, number>) => [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));

describe('GET …/workflows/{workflowId}/numbers', () => {
  it('counts visits, ports, ends and times by the hour, and what stands now', async () => {
    await using management = await fakeManagement();
    const { clock, service } = management;
    const ids = [await started(management), await started(management, '51999000112'), await started(management, '51999000113')];
    await service.engine.company('1').cancel(ids[0] ?? '');
    const hourBefore = clock.now();
    expect(await read(management)).toMatchObject({
      entered: 3,
      isBehind: false,
      versions: [1],
      ended: { completed: 0, cancelled: 1, failed: 0, expired: 0 },
      nodes: [
        { nodeId: 'hook', visits: 3, standing: 0, ports: [{ port: 'new', count: 3 }] },
        { nodeId: 'wait', visits: 3, standing: 2, ended: { cancelled: 1 }, ports: [] },
      ],
    });
    const standingOn = async (channel: string) =>
      (await read(management, `&channel=${channel}`)).nodes.flatMap(({ nodeId, standing }) => (standing > 0 ? [[nodeId, standing]] : []));
    expect([await standingOn('whatsapp'), await standingOn('slack'), await standingOn('web')]).toEqual([[['wait', 2]], [], []]);
    await passHour(management);
    const after = await read(management);
    expect(after).toMatchObject({ entered: 3, ended: { completed: 2, cancelled: 1 } });
    const wait = after.nodes.find(({ nodeId }) => nodeId === 'wait');
    expect(wait).toMatchObject({ standing: 0, ports: [{ port: 'elapsed', count: 2 }] });
    // The hour is in the bucket from 25 minutes to about an hour: a percentile is off by at most the factor of a bucket.
    expect(wait?.p50Ms).toBeGreaterThan(3_600_000 / 2.5);
    expect(wait?.p50Ms).toBeLessThan(3_600_000 * 2.5);
    const later = encodeURIComponent(new Date(clock.now()).toISOString());
    const earlier = encodeURIComponent(new Date(hourBefore).toISOString());
    expect(await read(management, `&from=${later}`)).toMatchObject({ entered: 0, ended: { completed: 2 } });
    expect(await read(management, `&from=${earlier}&to=${earlier}`)).toMatchObject({ entered: 3, ended: { completed: 0, cancelled: 1 } });
    expect(await read(management, '&version=1')).toEqual({ ...after, version: 1 });
    expect(after).toMatchObject({ channel: null, channels: ['whatsapp'] });
    expect(await read(management, '&channel=whatsapp')).toEqual({ ...after, channel: 'whatsapp' });
    expect(await read(management, '&channel=web')).toMatchObject({
      entered: 0,
      ended: { completed: 0 },
      nodes: [],
      channels: ['whatsapp'],
    });
  });

  it('keeps its counts when histories are removed, and counts what comes after', async () => {
    await using management = await fakeManagement();
    const { service, clock } = management;
    const remove = (untilMs: number) => pruneEndedOf(service.store.runner, { companyId: '1', untilMs, onlyExported: false });
    await service.engine.company('1').cancel(await started(management));
    const before = await read(management);
    expect(await remove(clock.now())).toBe(1);
    expect(await read(management)).toEqual(before);
    // SQLite gives the numbers of removed last rows again.
    await started(management, '51999000112');
    expect(await read(management)).toMatchObject({ entered: 2, ended: { cancelled: 1 } });
  });

  it.each([
    ['&version=0', 422, 'version is the number of a version'],
    ['&version=draft', 422, 'version is the number of a version'],
    ['&version=7', 404, 'has no version 7'],
    ['&from=2031-01-02&to=2031-01-01', 422, 'to is before from'],
    ['&from=2029-01-01&to=2031-01-01', 422, 'more than 366 days'],
    ['&from=yesterday', 422, 'from is a date'],
    ['&by=hour', 422, 'by is node, port'],
    ['&channel=telegram', 422, 'channel is whatsapp'],
  ])('refuses %s', async (query, status, words) => {
    await using management = await fakeManagement();
    await management.ask('PUT', '/workflows/pausing?companyId=1', pausing());
    const path = `/workflows/pausing/numbers?companyId=1${query}`;
    const answer = await management.ask('GET', path);
    expect({ status: answer.status, text: JSON.stringify(answer.body) }).toEqual({
      status,
      text: expect.stringContaining(words) as string,
    });
  });
});

type Act = 'start' | 'hour' | 'cancel' | 'page' | 'twice' | 'prune';

it('counts each record once, however pages and two counters are mixed with what executions do', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Act>('start', 'start', 'hour', 'cancel', 'page', 'twice', 'prune'), { minLength: 1, maxLength: 14 }),
      async (acts) => {
        await using management = await fakeManagement();
        const { service, clock } = management;
        await management.ask('PUT', '/workflows/pausing?companyId=1', pausing());
        const counters = [createHistoryCounter({ store: service.store, clock }), createHistoryCounter({ store: service.store, clock })];
        const removed = new Map<string, number>();
        let users = 0;
        for (const act of acts) {
          if (act === 'start') await started(management, `51999${String((users += 1)).padStart(6, '0')}`);
          if (act === 'hour') await passHour(management);
          if (act === 'page') await counters[0]?.page();
          if (act === 'twice') await Promise.all(counters.map((counter) => counter.page()));
          const { results } = await service.engine.company('1').executions({ limit: 1_000 });
          if (act === 'cancel')
            for (const { executionId, state } of results.slice(0, 1))
              if (state.status === 'waiting') await service.engine.company('1').cancel(executionId);
          if (act !== 'prune') continue;
          while ((await counters[0]?.page()) === true);
          const all = await countByHand(management);
          await pruneEndedOf(service.store.runner, { companyId: encodeText('1'), untilMs: clock.now(), onlyExported: false });
          const left = await countByHand(management);
          for (const [what, count] of all) removed.set(what, (removed.get(what) ?? 0) + count - (left.get(what) ?? 0));
        }
        const shown = flatten(await read(management, `&from=${encodeURIComponent(new Date(clock.now() - 86_400_000 * 30).toISOString())}`));
        const expected = await countByHand(management);
        for (const [what, count] of removed) if (count > 0) expected.set(what, (expected.get(what) ?? 0) + count);
        expect(sorted(shown)).toEqual(sorted(expected));
      },
    ),
    { numRuns: 10 },
  ));
