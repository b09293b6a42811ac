import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { type FakeManagement, fakeManagement, pausing } from './fake-management.ts';

const at = '/workflows/pausing/replays?companyId=1';
const keep = (value: unknown) => ({ id: 'keep', type: 'set', data: { assignments: [{ path: '$context.paid', value }] } });
const withWait = (duration: string) =>
  pausing({ nodes: pausing().nodes.map((node) => (node.id === 'wait' ? { ...node, data: { duration } } : node)) });

/** Version 1, in which two conversations have ended and one is open. */
async function talked(): Promise<FakeManagement> {
  const management = await fakeManagement();
  const { ask, clock, service } = management;
  await ask('PUT', '/workflows/pausing?companyId=1', pausing());
  await ask('POST', '/workflows/pausing/publish?companyId=1');
  const begin = async (user: string): Promise<void> => {
    await service.engine.receiveWebhook({
      companyId: '1',
      botId: 'bot_wa',
      workflowId: 'pausing',
      nodeId: 'hook',
      route: 'production',
      channel: 'whatsapp',
      request: { method: 'POST', body: { user }, query: {}, headers: {} },
    });
    await service.engine.whenIdle();
  };
  for (const user of ['5215512345678', '5215512345679']) await begin(user);
  clock.advanceBy(3_600_000);
  await service.engine.fireDueTimers();
  await service.engine.whenIdle();
  await begin('5215512345680');
  return management;
}

/** The lines of an answer. */
async function replay({ service }: FakeManagement, body?: object) {
  const answer = await createManagement(service).request(at, {
    method: 'POST',
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const lines = (await answer.text()).trim().split('\n');
  return { status: answer.status, type: answer.headers.get('content-type'), lines: lines.map((line) => JSON.parse(line) as unknown) };
}

const counts = { equal: 0, differs: 0, drawn: 0, unknown: 0, unreadable: 0 };

describe('POST /workflows/{workflowId}/replays', () => {
  it('says by lines that all go as before on an equal draft, and counts those that do not', async () => {
    await using management = await talked();
    const same = await replay(management);
    expect(same).toMatchObject({ status: 200, type: 'application/x-ndjson; charset=utf-8' });
    expect(same.lines).toEqual([
      { read: 2, counts: { ...counts, equal: 2 } },
      { read: 2, counts: { ...counts, equal: 2 }, version: 1, groups: [], why: {}, isPartial: false },
    ]);
    await management.ask('PUT', '/workflows/pausing?companyId=1', withWait('PT2H'));
    const other = await replay(management, { against: 'draft', last: 1 });
    const [id] = await ended(management);
    const group = 'request:wait:dueAtMs';
    expect(other.lines.at(-1)).toMatchObject({
      read: 1,
      counts: { ...counts, differs: 1 },
      groups: [{ group, how: 'request', nodeId: 'wait', where: 'dueAtMs', count: 1, first: id, newest: id }],
    });
    expect((await replay(management, { against: 1 })).lines.at(-1)).toMatchObject({ counts: { ...counts, equal: 2 } });
    expect((await replay(management, { against: withWait('PT3H') })).lines.at(-1)).toMatchObject({ counts: { ...counts, differs: 2 } });
    expect((await replay(management, { since: '2040-01-01T00:00:00Z' })).lines.at(-1)).toMatchObject({ read: 0 });
    const shown = await management.ask('GET', `/executions/${id}/replay?against=draft`);
    expect(shown).toMatchObject({
      status: 200,
      body: {
        executionId: id,
        outcome: { kind: 'differs', group },
        before: expect.any(Array) as unknown,
        after: expect.any(Array) as unknown,
      },
    });
    expect(await management.ask('GET', `/executions/${id}/replay?against=1`)).toMatchObject({ body: { outcome: { kind: 'equal' } } });
  });

  it('shows what is behind a difference when that is ignored', async () => {
    await using management = await talked();
    const nodes = withWait('PT2H').nodes.map((node) => (node.id === 'keep' ? keep('{{1 + 1}}') : node));
    await management.ask('PUT', '/workflows/pausing?companyId=1', pausing({ nodes }));
    const ignored = await replay(management, { ignore: ['request:wait:dueAtMs'] });
    expect(ignored.lines.at(-1)).toMatchObject({ groups: [{ how: 'missing', count: 2 }] });
  });

  it.each([
    [{ against: 'newest' }, 422, 'against'],
    [{ against: 9 }, 404, 'VERSION_NOT_FOUND'],
    [{ against: { id: 'pausing' } }, 422, 'canvas'],
    [{ last: 0 }, 422, 'last'],
    [{ last: 10_001 }, 422, 'last'],
    [{ since: 'yesterday' }, 422, 'since'],
    [{ ignore: 'all' }, 422, 'ignore'],
    [{ again: true }, 422, 'again'],
  ])('refuses %j with %i', async (body, status, words) => {
    await using management = await talked();
    const answer = await replay(management, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.lines)).toContain(words);
  });

  it('refuses an execution that is not there, and a version that is none', async () => {
    await using management = await talked();
    expect(await management.ask('GET', '/executions/none/replay')).toMatchObject({ status: 404, body: { error: 'EXECUTION_NOT_FOUND' } });
    const [id] = await ended(management);
    expect((await management.ask('GET', `/executions/${id}/replay?against=newest`)).status).toBe(422);
    expect(await management.ask('GET', `/executions/${id}/replay?against=7`)).toMatchObject({ status: 404 });
  });
});

/** The executions that have completed, newest first. */
async function ended({ ask }: FakeManagement): Promise<readonly string[]> {
  const { body } = await ask('GET', '/executions?companyId=1&status=completed');
  return (body as { readonly results: readonly { readonly executionId: string }[] }).results.map(({ executionId }) => executionId);
}
