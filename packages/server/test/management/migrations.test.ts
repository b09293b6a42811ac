import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { doneJob, type FakeManagement, fakeManagement, pausing } from './fake-management.ts';

/** Publishes a canvas as the next version of `pausing`. */
async function publish(management: FakeManagement, changes: object = {}): Promise<void> {
  expect((await management.ask('PUT', '/workflows/pausing?companyId=1', pausing(changes))).status).toBe(200);
  expect((await management.ask('POST', '/workflows/pausing/publish?companyId=1')).status).toBe(200);
}

/** Version 1 with three executions that wait. */
async function waiting(): Promise<FakeManagement> {
  const management = await fakeManagement();
  await publish(management);
  for (const user of ['5215512345678', '5215512345679', '5215512345680'])
    await management.service.engine.receiveWebhook({
      companyId: '1',
      botId: 'bot_wa',
      workflowId: 'pausing',
      nodeId: 'hook',
      route: 'production',
      channel: 'whatsapp',
      request: { method: 'POST', body: { user }, query: {}, headers: {} },
    });
  await management.service.engine.whenIdle();
  return management;
}

const at = (part = '') => `/workflows/pausing/migrations${part}?companyId=1`;

/** The lines of an answer. */
const linesOf = (body: unknown): readonly unknown[] =>
  typeof body === 'string'
    ? body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    : [body];

async function ask(management: FakeManagement, path: string, body?: object) {
  const { service } = management;
  const { createManagement } = await import('../../src/service/app.ts');
  const answer = await createManagement(service).request(path, {
    method: 'POST',
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type'), lines: linesOf(text) };
}

const keep = (value: boolean) => ({ id: 'keep', type: 'set', data: { assignments: [{ path: '$context.paid', value }] } });
const withKeep = (value: boolean) => ({ nodes: pausing().nodes.map((node) => (node.id === 'keep' ? keep(value) : node)) });

describe('POST …/migrations/plan', () => {
  it('answers by lines: what was read so far, then the plan, and each verdict where asked', async () => {
    await using management = await waiting();
    await publish(management, withKeep(false));
    const plan = await ask(management, at('/plan'), { from: 1, to: 2 });
    expect(plan).toMatchObject({ status: 200, type: 'application/x-ndjson; charset=utf-8' });
    expect(plan.lines).toEqual([
      { read: 3, counts: { changed: 3 } },
      {
        read: 3,
        counts: { changed: 3 },
        groups: [
          {
            kind: 'changed',
            nodeId: 'wait',
            message: '"assignments" of node "keep" differs in version 2 (wait → keep)',
            way: ['wait', 'keep'],
            count: 3,
            oldest: expect.stringMatching(/Z$/) as unknown,
            executionIds: [expect.any(String), expect.any(String), expect.any(String)] as unknown,
          },
        ],
        nodes: {},
        planId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      },
    ]);
    const each = await ask(management, `${at('/plan')}&items=true`, { from: 1, to: 2 });
    expect(each.lines.slice(0, 3)).toMatchObject([1, 2, 3].map(() => ({ verdict: { kind: 'changed' } })));
  });

  it.each([
    ['a version that is not there', { from: 1, to: 9 }, 404, /has no version 9/],
    ['another workflow', { workflowId: 'other', from: 1, to: 2 }, 400, /make them the same/],
    ['a field that there is not', { from: 1, to: 2, node: {} }, 422, /node/],
    ['a node that there is not', { from: 1, to: 2, nodes: { none: 'wait' } }, 422, /"none", which version 1 does not have/],
  ])('refuses %s', async (_name, body, status, message) => {
    await using management = await waiting();
    await publish(management, withKeep(false));
    const refused = await ask(management, at('/plan'), body);
    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.lines).replaceAll('\\', '')).toMatch(message);
  });
});

/** Asks for a job, and lets it be done. */
async function done(management: FakeManagement, path: string, body?: object) {
  const job = await doneJob(management, path, body);
  return { jobId: (job as { readonly jobId: string }).jobId, job };
}

describe('POST …/migrations', () => {
  it('asks for a job that changes what is accepted, tells who did it, and is undone', async () => {
    await using management = await waiting();
    await management.startJobs();
    await publish(management, withKeep(false));
    const [, plan] = (await ask(management, at('/plan'), { from: 1, to: 2 })).lines as readonly { readonly planId: string }[];
    const migration = { from: 1, to: 2 };
    const none = await done(management, at(), { migration });
    expect(none.job).toMatchObject({
      kind: 'migrate',
      status: 'done',
      cursor: 3,
      counts: { changed: 3 },
      createdBy: 'operator',
      rate: 500,
    });
    expect(await management.ask('GET', '/workflows/pausing/population?companyId=1')).toMatchObject({
      body: { versions: [{ version: 1, waiting: 3 }] },
    });
    const { jobId, job } = await done(management, at(), { migration, planId: plan?.planId, accept: ['changed'], rate: 1_000 });
    expect(job).toMatchObject({ status: 'done', cursor: 3, counts: { changed: 3 }, rate: 1_000, problems: [] });
    expect(await management.ask('GET', '/workflows/pausing/population?companyId=1')).toMatchObject({
      body: { versions: [{ version: 2, running: 0, waiting: 3, quarantined: 0, nodes: [{ nodeId: 'wait', waiting: 3 }] }] },
    });
    const { body } = await management.ask('GET', '/executions?companyId=1');
    const [execution] = (body as { readonly results: readonly { readonly executionId: string }[] }).results;
    expect(execution).toMatchObject({ version: 2, status: 'waiting' });
    const history = await management.ask('GET', `/executions/${execution?.executionId}/history?companyId=1`);
    expect((history.body as { readonly entries: readonly object[] }).entries.at(-1)).toMatchObject({
      type: 'execution.migrated',
      cause: 'From version 1 to version 2',
      by: 'operator',
      migrated: { from: 1, to: 2, job: jobId },
    });
    await management.ask('POST', `/executions/${execution?.executionId}/cancel?companyId=1`); // it has ended: it counts as gone on
    expect((await done(management, `/jobs/${jobId}/undo?companyId=1`)).job).toMatchObject({
      kind: 'undo',
      status: 'done',
      counts: { undone: 2, goneOn: 1 },
    });
    expect((await done(management, `/jobs/${jobId}/undo?companyId=1`)).job).toMatchObject({ counts: { alreadyUndone: 2, goneOn: 1 } });
    const { body: listed } = await management.ask('GET', '/jobs?companyId=1&limit=3');
    const { results, nextCursor } = listed as { readonly results: readonly { readonly kind: string }[]; readonly nextCursor: string };
    expect(results.map(({ kind }) => kind)).toHaveLength(3);
    const rest = await management.ask('GET', `/jobs?companyId=1&limit=3&cursor=${nextCursor}`);
    expect(rest.body).toMatchObject({ results: [{ companyId: '1' }], nextCursor: null });
    expect(await management.ask('GET', '/jobs?companyId=1&kind=undo&status=done')).toMatchObject({
      body: { results: [{ kind: 'undo' }, { kind: 'undo' }] },
    });
    expect(await management.ask('GET', '/jobs?companyId=2')).toMatchObject({ body: { results: [] } });
    expect(await management.ask('POST', `/jobs/${jobId}/pause`)).toMatchObject({ status: 409, body: { error: 'JOB_ENDED' } });
    expect(await management.ask('GET', `/jobs/${jobId}?companyId=2`)).toMatchObject({ status: 404, body: { error: 'JOB_NOT_FOUND' } });
  });

  it('is refused where the migration is not that of the plan, or is none', async () => {
    await using management = await waiting();
    await publish(management, withKeep(false));
    const refused = await ask(management, at(), { migration: { from: 1, to: 2 }, planId: 'other' });
    expect(refused).toMatchObject({ status: 409, lines: [{ error: 'PLAN_CHANGED' }] });
    expect((await ask(management, at(), { migration: { from: 1, to: 2 }, accept: ['all'] })).status).toBe(422);
    expect((await ask(management, at(), { migration: { from: 1, to: 2 }, rate: 0 })).status).toBe(422);
    expect((await ask(management, at(), { migration: { from: 1, to: 2 }, plan: 'x' })).status).toBe(422);
    expect((await ask(management, at(), { migration: { from: 1, to: 9 } })).status).toBe(404);
    expect((await ask(management, at(), { from: 1, to: 2 })).status).toBe(422);
    const unknown = await ask(management, at(), { migration: { from: 1, to: 2, nodes: { none: 'wait' } } });
    expect(unknown.status).toBe(422);
    const unfit = [
      { nodes: { hook: 'wait', wait: 'hook' } },
      { at: { wait: { enter: 'none' } } },
      { at: { wait: 'drop' } },
      { set: { '$input.a': 1 } },
      { set: { '$context.a': '{{1 +}}' } },
    ];
    for (const from of [1, 'any'])
      for (const fields of unfit) expect((await ask(management, at(), { migration: { from, to: 2, ...fields } })).status).toBe(422);
    const { lines } = await ask(management, at(), { migration: { from: 'all', to: 0 } });
    expect(lines).toMatchObject([
      { message: [expect.stringContaining('"from" is the number of a version, or "any"; "to" is the number') as unknown] },
    ]);
    expect(await management.ask('GET', '/jobs')).toMatchObject({ body: { results: [] } });
  });
});

describe('POST …/publish with at', () => {
  /** Lets a job's time come, and its page be done. */
  const later = async (management: FakeManagement): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    management.clock.advanceBy(3_600_000);
    for (let turn = 0; turn < 200; turn += 1) await setImmediate();
  };
  const inAnHour = ({ clock }: FakeManagement) => new Date(clock.now() + 3_600_000).toISOString();

  it('publishes the draft then, and no other', async () => {
    await using management = await fakeManagement();
    await management.startJobs();
    await publish(management);
    for (const isChanged of [false, true]) {
      await management.ask('PUT', '/workflows/pausing?companyId=1', pausing(withKeep(isChanged)));
      const asked = await management.ask('POST', '/workflows/pausing/publish?companyId=1', { at: inAnHour(management), note: 'At nine' });
      expect(asked).toMatchObject({ status: 202, body: { jobId: expect.any(String) as unknown } });
      const { jobId } = asked.body as { readonly jobId: string };
      expect(await management.ask('GET', `/jobs/${jobId}`)).toMatchObject({ body: { kind: 'publish', status: 'waiting' } });
      const saved = pausing({ ...withKeep(isChanged), name: 'Other' });
      if (isChanged) await management.ask('PUT', '/workflows/pausing?companyId=1', saved);
      await later(management);
      const { body } = await management.ask('GET', `/jobs/${jobId}`);
      expect(body).toMatchObject({ status: 'done', failure: isChanged ? { code: 'DRAFT_CHANGED' } : null });
      const versions = await management.ask('GET', '/workflows/pausing/versions?companyId=1');
      expect(versions.body).toMatchObject({ results: [{ version: 1 }, { version: 2, note: 'At nine', publishedBy: 'operator' }] });
    }
  });

  it('refuses an instant that has passed or is none', async () => {
    await using management = await fakeManagement();
    await publish(management);
    for (const at of ['2001-01-01T00:00:00Z', 'tomorrow', 5])
      expect((await management.ask('POST', '/workflows/pausing/publish?companyId=1', { at })).status).toBe(422);
  });

  it.each([
    ['2099-01-01T00:00:00Z', 202],
    ['9999-12-31T23:59:59Z', 202],
    ['9999-12-31T23:59:59-01:00', 422],
    ['2001-01-01T00:00:00Z', 422],
    ['2099-01-01', 422],
    ['soon', 422],
  ])('takes an instant ahead that an answer can write: %s is answered %i', async (at, status) => {
    await using management = await fakeManagement();
    await publish(management);
    await management.ask('PUT', '/workflows/pausing?companyId=1', pausing(withKeep(true)));
    expect((await management.ask('POST', '/workflows/pausing/publish?companyId=1', { at })).status).toBe(status);
  });
});
