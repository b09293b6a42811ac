// GET …/companies/{companyId}/overview: what a company's home shows, in one answer.
import { describe, expect, it } from 'vitest';
import { listCauses, summarize } from '../../src/numbers/numbers.ts';
import { listAnswers } from '../../src/statistics/overview.ts';
import { fakeManagement } from '../management/fake-management.ts';
import { started } from '../management/started.ts';

describe('GET …/companies/{companyId}/overview', () => {
  it('tells what waits, what bots received and sent, and how the week went', async () => {
    await using management = await fakeManagement();
    const { clock, service } = management;
    const read = async () => {
      const { status, body } = await management.ask('GET', '/companies/1/overview');
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    };
    const ids = [await started(management), await started(management, '51999000112')];
    await service.engine.company('1').cancel(ids[0] ?? '');
    expect(await read()).toMatchObject({
      companyId: '1',
      at: new Date(clock.now()).toISOString(),
      conversations: { open: 0, waiting: 0, oldestWaitingSince: null },
      executions: { running: 0, waiting: 1, failed24h: 0, causes: [] },
      week: { began: 2, completed: 0, failed: 0, handedOff: 0, medianReplyMs: null },
      weekBefore: { began: 0, completed: 0 },
    });
    const days = Array.from({ length: 14 }, (_, index) => new Date(clock.now() - (13 - index) * 86_400_000).toISOString().slice(0, 10));
    const { bots } = (await read()) as { readonly bots: readonly { readonly id: string; readonly messages: object }[] };
    expect(bots.map(({ id }) => id).toSorted()).toEqual(
      service.companies
        .bots('1')
        .map(({ id }) => id)
        .toSorted(),
    );
    for (const { messages } of bots)
      expect(messages).toEqual({ received: 0, sent: 0, isPartial: false, days: days.map((date) => ({ date, received: 0, sent: 0 })) });

    // A week later it is the week before.
    clock.advanceBy(7 * 86_400_000);
    expect(await read()).toMatchObject({ week: { began: 0 }, weekBefore: { began: 2 } });
  });

  it('is refused for a company that is not there', async () => {
    await using management = await fakeManagement();
    expect(await management.ask('GET', '/companies/404/overview')).toMatchObject({ status: 404 });
  });
});

const canvas = (id: string, data: object, channels?: readonly ('whatsapp' | 'web')[]) => ({
  workflowId: id,
  canvas: {
    name: `The ${id}`,
    kind: 'skill' as const,
    settings: { ...(channels !== undefined && { channels: [...channels] }) },
    nodes: [{ type: 'start', data: { ...data } }],
  },
});

it('of several workflows with a word or a fallback, the first for the channel answers', () => {
  const published = [
    canvas('a', { keywords: ['hi'] }, ['whatsapp']),
    canvas('b', { keywords: ['hi', 'order'], fallback: true }),
    canvas('c', { keywords: ['order', 'bye', 7], fallback: true }),
    canvas('d', { keywords: 'bye' }),
  ];
  const answered = (channel: 'whatsapp' | 'web') => {
    const { fallback, keywords } = listAnswers(published, channel);
    return [fallback?.workflowId, ...keywords.map(({ keyword, workflowId }) => `${keyword} ${workflowId}`)];
  };
  expect(answered('whatsapp')).toEqual(['b', 'hi a', 'order b', 'bye c']);
  expect(answered('web')).toEqual(['b', 'hi b', 'order b', 'bye c']);
  expect(listAnswers([], 'web')).toEqual({ fallback: null, keywords: [] });
});

it('adds up how executions went, and names causes by how frequent they are', () => {
  const sum = (workflowId: string, nodeId: string, kind: string, name: string, count: number) => ({
    workflowId,
    nodeId,
    kind,
    name,
    count,
  });
  const sums = [
    sum('a', '', 'entered', '', 5),
    sum('b', '', 'entered', '', 2),
    sum('a', '', 'ended', 'completed', 3),
    sum('a', '', 'ended', 'failed', 1),
    sum('a', 'people', 'entered', '', 4),
    sum('b', 'people', 'entered', '', 8),
    sum('a', 'call', 'failed', 'TIMEOUT', 1),
    sum('b', 'call', 'failed', 'TIMEOUT', 1),
    sum('a', 'call', 'failed', 'HTTP', 2),
    sum('a', 'call', 'failed', 'DENIED', 1),
  ];
  expect(summarize(sums, (workflowId, nodeId) => workflowId === 'a' && nodeId === 'people')).toEqual({
    began: 7,
    completed: 3,
    failed: 1,
    handedOff: 4,
  });
  expect(listCauses(sums).map(({ cause, count }) => `${cause} ${count}`)).toEqual(['HTTP 2', 'TIMEOUT 2', 'DENIED 1']);
});
