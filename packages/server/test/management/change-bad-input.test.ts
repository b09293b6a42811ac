// What cannot be done to what runs: each is a sentence that says what to do, and nothing is done by half.
import { pruneEndedOf } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { doneJob, type FakeManagement, fakeManagement, lastLine } from './fake-management.ts';
import { order, publish, start, waiting, where } from './waiting-orders.ts';

const migrations = `/workflows/order/migrations?${where}`;
const migration = { workflowId: 'order', from: 1, to: 2 };
const versionsOf = async ({ ask }: FakeManagement): Promise<readonly number[]> => {
  const { body } = await ask('GET', `/executions?${where}&workflowId=order`);
  return (body as { readonly results: readonly { readonly version: number }[] }).results.map(({ version }) => version);
};

describe('a migration that cannot be', () => {
  it('such as by renames that go in a circle, or to a draft, is refused before a job is begun', async () => {
    const { management } = await waiting(1, order({ id: 'paper' }));
    await using _ = management;
    const { ask } = management;
    expect(await ask('POST', migrations, { migration: { ...migration, nodes: { keep: 'later', later: 'keep' } } })).toMatchObject({
      status: 422,
      body: { message: [expect.stringContaining('"nodes" renames "keep", which version 2 has too: rename only what is gone') as unknown] },
    });
    await ask('PUT', `/workflows/order?${where}`, order({ said: 'draft' }));
    expect(await ask('POST', migrations, { migration: { ...migration, to: 3 } })).toMatchObject({
      status: 404,
      body: { error: 'VERSION_NOT_FOUND', message: 'Workflow "order" has no version 3: publish it, or name another' },
    });
    expect(await ask('GET', '/jobs')).toMatchObject({ body: { results: [] } });
    expect(await versionsOf(management)).toEqual([1]);
  });

  it.each<[mapping: object, sentence: string]>([
    [{ from: 0 }, '"from" is the number of a version, from 1'],
    [{ from: 'x' }, '"from" is the number of a version, or "any"'],
    [{ to: 0 }, '"to" is the number of a version, from 1'],
    [{ at: { card: { cancel: '' } } }, '"at.card.cancel" is a reason of 1 to 500 characters'],
    [{ at: { card: { cancel: 'x'.repeat(501) } } }, '"at.card.cancel" is a reason of 1 to 500 characters'],
    [{ at: { card: { enter: 'keep', cancel: 'x' } } }, '"at.card" is "keep", {"enter": NODE} or {"cancel": REASON}'],
  ])('by %#, what is no mapping, is told in a sentence of its own', async (mapping, sentence) => {
    await using management = await fakeManagement();
    await publish(management, order());
    const answer = await management.ask('POST', `/workflows/order/migrations/plan?${where}`, { ...migration, ...mapping });
    expect(answer).toMatchObject({ status: 422, body: { message: [`The migration of workflow "order" does not fit: ${sentence}`] } });
  });

  it('for a value that cannot be made of what an execution has leaves it, and says so', async () => {
    const { management, ids } = await waiting(2);
    await using _ = management;
    await management.startJobs();
    const failing = { ...migration, set: { '$context.brand': '{{$context.shop.name}}' } };
    const groups = [
      { kind: 'refused', reason: 'VALUE_REFUSED', count: 2, message: expect.stringContaining('Write "set" with ??') as unknown },
    ];
    const plan = await lastLine(management, `/workflows/order/migrations/plan?${where}`, failing);
    expect(plan).toMatchObject({ counts: { refused: 2 }, groups });
    expect(await doneJob(management, migrations, { migration: failing, accept: ['same', 'changed'] })).toMatchObject({
      status: 'done',
      counts: { refused: 2 },
      problems: ids.map(() => ({ code: 'VALUE_REFUSED' })),
    });
    expect(await versionsOf(management)).toEqual([1, 1]);
  });

  it('goes on by itself after a disk that was full, and counts each once', async () => {
    const { management } = await waiting(5);
    await using _ = management;
    const { service, clock, ask } = management;
    const { executions } = service.store;
    const commit = executions.commit.bind(executions);
    let left = 2;
    Object.assign(executions, {
      commit: (given: Parameters<typeof commit>[0]) =>
        left-- > 0 || left < -8
          ? commit(given)
          : Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })),
    });
    await management.startJobs();
    const job = await doneJob(
      {
        ...management,
        ask: async (...given) => {
          clock.advanceTo(clock.now() + 500);
          return ask(...given);
        },
      },
      migrations,
      { migration, accept: ['changed'] },
    );
    expect(job).toMatchObject({ status: 'done', atLeast: false, failure: null, counts: { changed: 5 } });
    expect(await versionsOf(management)).toEqual([2, 2, 2, 2, 2]);
  });
});

describe('what cannot be continued', () => {
  it('is what a masked node was told, and what retention has removed', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    await publish(management, order({ mask: true }));
    const executionId = await start(management);
    await service.engine.company('1').signal('card', { payload: { number: 4_111 } });
    await service.engine.whenIdle();
    expect(await ask('POST', `/executions/${executionId}/cancel?${where}`)).toMatchObject({ status: 200 });
    expect(await ask('POST', `/executions/${executionId}/retry?${where}`, {})).toMatchObject({
      status: 409,
      body: {
        error: 'HISTORY_MASKED',
        message: expect.stringMatching(/^From step \d+ on, values of "card" are masked in the history: choose an earlier/) as unknown,
      },
    });
    const before = (await service.engine.company('1').history(executionId)).length - 1;
    const fork = (more: object) => ask('POST', `/executions/${executionId}/fork?${where}`, { before, ...more });
    expect(await fork({})).toMatchObject({ status: 409, body: { error: 'HISTORY_MASKED' } });
    expect(await fork({ enter: 'keep' })).toMatchObject({ status: 409, body: { error: 'NEEDS_VALUE' } });
    expect(await fork({ enter: 'keep', set: { '$context.card': { number: 7 } } })).toMatchObject({ status: 200 }); // that value is not masked
    const counts = await ask('GET', `/executions?${where}&workflowId=order`);
    expect((counts.body as { readonly results: readonly object[] }).results.length).toBe(2);
    const report = await lastLine(management, `/workflows/order/replays?${where}`, { against: 1 });
    expect(report).toMatchObject({ read: 1, counts: { unreadable: 1 }, why: { masked: 1 } });
    const untilMs = management.clock.now() + 1;
    expect(await pruneEndedOf(service.store.runner, { companyId: '1', untilMs, onlyExported: false })).toBe(1);
    expect(await ask('POST', `/executions/${executionId}/retry?${where}`, {})).toMatchObject({ status: 404 });
  });
});

it.each([
  ['its beginning', 'execution.accepted', { unreadable: 1 }],
  ['an event in the middle', 'signal.received', {}],
])('what has lost %s of its history is neither continued nor copied', async (_what, lost, counts) => {
  await using management = await fakeManagement();
  const { ask, service } = management;
  await publish(management, order());
  const executionId = await start(management);
  await service.engine.company('1').signal('card', { payload: { number: 4_111 } });
  await service.engine.whenIdle();
  await ask('POST', `/executions/${executionId}/cancel?${where}`);
  const { executions } = service.store;
  const history = executions.history.bind(executions);
  Object.assign(executions, {
    history: async (...given: Parameters<typeof history>) => (await history(...given)).filter(({ event }) => event.type !== lost),
  });
  const gone = { status: 409, body: { error: 'HISTORY_GONE', message: expect.stringContaining(executionId) as unknown } };
  expect(await ask('POST', `/executions/${executionId}/retry?${where}`, {})).toMatchObject(gone);
  expect(await ask('POST', `/executions/${executionId}/fork?${where}`, { before: 1 })).toMatchObject(gone);
  const report = await lastLine(management, `/workflows/order/replays?${where}`, { against: 1 });
  expect(report).toMatchObject({ read: 1, counts });
  await management.startJobs();
  const bulk = { filter: { workflowId: 'order' }, action: { type: 'retry' }, atMost: 1 };
  expect(await doneJob(management, `/executions/bulk?${where}`, bulk)).toMatchObject({
    status: 'done',
    counts: { refused: 1 },
    problems: [{ executionId, code: 'HISTORY_GONE' }],
  });
  expect(await ask('GET', `/executions?${where}`)).toMatchObject({ body: { results: [{ executionId }] } });
});

it('a replay while a publication happens is of the version that it began with', async () => {
  await using management = await fakeManagement();
  await publish(management, order());
  for (let index = 0; index < 3; index += 1) {
    const executionId = await start(management);
    await management.ask('POST', `/executions/${executionId}/cancel?${where}`);
  }
  await management.ask('PUT', `/workflows/order?${where}`, order({ said: 'other' }));
  const [report] = await Promise.all([
    lastLine(management, `/workflows/order/replays?${where}`, { against: 'draft' }),
    management.ask('POST', `/workflows/order/publish?${where}`),
  ]);
  expect(report).toMatchObject({ version: 1, read: 3, counts: { equal: 3 } });
});
