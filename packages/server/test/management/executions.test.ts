import { describe, expect, it } from 'vitest';
import { fakeManagement } from './fake-management.ts';
import { started } from './started.ts';

describe('executions', () => {
  it('are shown with their wait and their variables', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const { body } = await management.ask('GET', `/executions/${executionId}?companyId=1`);
    expect(body).toEqual({
      executionId,
      workflowId: 'pausing',
      version: 1,
      status: 'waiting',
      userId: '51999000111',
      botId: 'bot_wa',
      channel: 'whatsapp',
      parentExecutionId: null,
      wait: {
        id: expect.any(String) as unknown,
        kind: 'timer',
        nodeId: 'wait',
        openedAt: '2031-03-03T09:00:00.000Z',
        dueAt: '2031-03-03T10:00:00.000Z',
        onDue: 'timeout',
      },
      variables: expect.objectContaining({ $webhook: expect.anything() as unknown }) as unknown,
      createdAt: '2031-03-03T09:00:00.000Z',
      updatedAt: '2031-03-03T09:00:00.000Z',
      endedAt: null,
      cause: null,
      continuedAs: null,
      forkedFrom: null,
    });
  });

  it('are listed newest first, filtered and in pages', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const ids = [
      await started(management, '51999000111'),
      await started(management, '51999000222'),
      await started(management, '51999000111'),
    ];
    const listed = async (query: string) => {
      const { body } = await ask('GET', `/executions?companyId=1${query}`);
      const { results, nextCursor } = body as {
        readonly results: readonly { readonly executionId: string }[];
        readonly nextCursor: string | null;
      };
      return { ids: results.map(({ executionId }) => executionId), nextCursor };
    };
    expect(await listed('')).toEqual({ ids: ids.toReversed(), nextCursor: null });
    expect((await listed('&userId=51999000222')).ids).toEqual([ids[1]]);
    expect((await listed('&status=completed')).ids).toEqual([]);
    expect((await listed('&workflowId=pausing&status=waiting')).ids).toHaveLength(3);
    const first = await listed('&limit=2');
    expect(first.ids).toEqual([ids[2], ids[1]]);
    expect(await listed(`&limit=2&cursor=${first.nextCursor}`)).toEqual({ ids: [ids[0]], nextCursor: null });
    expect(await ask('GET', '/executions?companyId=2')).toMatchObject({ body: { results: [] } });
  });

  it('are found without naming their company', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const ids = [await started(management), await started(management, '51999000222', '2'), await started(management, '51999000333')];
    for (const executionId of ids) {
      expect(await ask('GET', `/executions/${executionId}`)).toMatchObject({ status: 200, body: { executionId, status: 'waiting' } });
      expect(await ask('GET', `/executions/${executionId}/history`)).toMatchObject({ status: 200, body: { executionId } });
      expect(await ask('POST', `/executions/${executionId}/release`)).toMatchObject({ status: 200, body: { executionId } });
    }
    expect(await ask('GET', `/executions/${ids[1]}?companyId=1`)).toMatchObject({ status: 404 });
    expect(await ask('POST', `/executions/${ids[1]}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await ask('GET', `/executions/${ids[0]}`)).toMatchObject({ body: { status: 'waiting' } });
  });

  it('are listed for all companies together, newest first, filtered and in pages', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const ids = [
      await started(management),
      await started(management, '51999000222', '2'),
      await started(management, '51999000222'),
      await started(management, '51999000111', '2'),
    ];
    for (const [query, expected] of [
      ['', [3, 2, 1, 0]],
      ['&workflowId=pausing', [3, 2, 1, 0]],
      ['&status=waiting&userId=51999000222', [2, 1]],
      ['&status=failed', []],
      ['&companyId=2', [3, 1]],
    ] as const) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await ask('GET', `/executions?limit=1${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        const page = body as { readonly results: readonly { readonly executionId: string }[]; readonly nextCursor: string | null };
        seen.push(...page.results.map(({ executionId }) => executionId));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(expected.map((index) => ids[index]));
    }
  });

  it('are found by every id of their user (UID-04, UID-06)', async () => {
    await using management = await fakeManagement();
    const { store } = management.service;
    await store.executions.commit({
      saves: [],
      history: [],
      enqueue: [],
      dequeue: [],
      contacts: [{ companyId: '1', botId: 'bot_wa', userId: '51999000111', bsuid: 'MX.a1B2c3', phone: '51999000111' }],
    });
    const [byPhone, byBsuid] = [await started(management, '51999000111'), await started(management, 'MX.a1B2c3')];
    await started(management, '51999000222');
    for (const userId of ['51999000111', 'MX.a1B2c3'])
      for (const company of ['', '&companyId=1']) {
        const { body } = await management.ask('GET', `/executions?userId=${userId}${company}`);
        expect(body).toMatchObject({ results: [{ executionId: byBsuid }, { executionId: byPhone }], nextCursor: null });
      }
  });

  it('end a page before its limit where they are large (P20)', async () => {
    await using management = await fakeManagement();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await started(management, '51999000111', '1', { text: 'x'.repeat(900_000) }));
    const lengths: number[] = [];
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await management.ask('GET', `/executions?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const page = body as { readonly results: readonly { readonly executionId: string }[]; readonly nextCursor: string | null };
      seen.push(...page.results.map(({ executionId }) => executionId));
      lengths.push(JSON.stringify(body).length);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids.toReversed());
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths)).toBeLessThan(4_000_000);
  });

  it('have a history', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const { clock, engine } = management.service;
    (clock as unknown as { advanceBy(ms: number): void }).advanceBy(3_600_000);
    await engine.fireDueTimers();
    await engine.whenIdle();
    const { body } = await management.ask('GET', `/executions/${executionId}/history?companyId=1`);
    const { entries } = body as { readonly entries: readonly { readonly nodeId: string; readonly type: string }[] };
    expect(body).toMatchObject({ executionId });
    expect(entries.map(({ nodeId }) => nodeId)).toEqual(expect.arrayContaining(['hook', 'wait', 'keep', 'done']));
    expect(entries.find(({ nodeId }) => nodeId === 'keep')).toMatchObject({
      at: '2031-03-03T10:00:00.000Z',
      visitNumber: 1,
      port: 'next',
      writes: [{ path: '$context.paid', value: true }],
    });
    const known = [
      'step',
      'event',
      'heard',
      'at',
      'nodeId',
      'visitNumber',
      'type',
      'port',
      'effect',
      'cause',
      'limitMs',
      'configuredMs',
      'appliedMs',
      'writes',
    ];
    expect([...new Set(entries.flatMap(Object.keys))].filter((name) => !known.includes(name))).toEqual([]);
    expect(await management.ask('GET', `/executions/${executionId}?companyId=1`)).toMatchObject({
      body: { status: 'completed', wait: null },
    });
  });

  it('end when they are cancelled, and cancelling twice is cancelling once', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const cancelled = await management.ask('POST', `/executions/${executionId}/cancel?companyId=1`, { reason: 'No longer needed' });
    expect(cancelled).toMatchObject({ status: 200, body: { executionId, status: 'cancelled', wait: null } });
    expect(await management.ask('POST', `/executions/${executionId}/cancel?companyId=1`)).toEqual(cancelled);
    const { body } = await management.ask('GET', `/executions/${executionId}/history?companyId=1`);
    const { entries } = body as { readonly entries: readonly object[] };
    expect(entries.at(-1)).toEqual({
      step: entries.length,
      event: 2,
      at: '2031-03-03T09:00:00.000Z',
      nodeId: 'wait',
      visitNumber: 1,
      type: 'execution.cancelled',
      cause: 'No longer needed',
      by: 'operator',
    });
  });

  it('stay as they are when they are released and were not in quarantine (P17)', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    expect(await management.ask('POST', `/executions/${executionId}/release?companyId=1`)).toEqual(
      await management.ask('GET', `/executions/${executionId}?companyId=1`),
    );
  });

  it.for(['', '/history', '/cancel', '/release'])('of another company are unknown%s (P28)', async (verb) => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const method = verb === '/cancel' || verb === '/release' ? 'POST' : 'GET';
    const other = await management.ask(method, `/executions/${executionId}${verb}?companyId=2`);
    const unknown = await management.ask(method, `/executions/${executionId.replace(/./, 'z')}${verb}?companyId=2`);
    expect(other.status).toBe(404);
    expect(JSON.stringify(other).replace(executionId, '')).toBe(JSON.stringify(unknown).replace(executionId.replace(/./, 'z'), ''));
  });
});

describe('a list of executions', () => {
  it('is filtered by version, node, cause, channel, bot or time, and leaves variables out of summaries', async () => {
    await using management = await fakeManagement();
    const { ask, clock } = management;
    const first = await started(management);
    clock.advanceBy(60_000);
    const second = await started(management, '51999000222');
    await ask('POST', `/executions/${second}/cancel`, { reason: 'Not needed' });
    const listed = async (query: string) => {
      const { body, status } = await ask('GET', `/executions?companyId=1&${query}`);
      const { results } = body as { readonly results?: readonly { readonly executionId: string }[] };
      return results?.map(({ executionId }) => executionId) ?? status;
    };
    expect(await listed('version=1')).toEqual([second, first]);
    expect(await listed('version=2')).toEqual([]);
    expect(await listed('nodeId=wait')).toEqual([first]);
    expect(await listed('cause=CANCELLED')).toEqual([second]);
    expect(await listed('channel=whatsapp&botId=bot_wa')).toEqual([second, first]);
    expect(await listed('channel=web')).toEqual([]);
    expect(await listed('botId=bot_slack')).toEqual([]);
    expect(await listed('from=2031-03-03T09:00:30Z')).toEqual([second]);
    expect(await listed('to=2031-03-03T09:00:30Z')).toEqual([first]);
    expect(await listed('from=yesterday')).toBe(422);
    const { body } = await ask('GET', '/executions?companyId=1&fields=summary');
    expect(body).toMatchObject({
      results: [
        { endedAt: '2031-03-03T09:01:00.000Z', cause: 'CANCELLED' },
        { endedAt: null, cause: null, userNames: null },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('variables');
  });
});
