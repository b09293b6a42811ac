import { describe, expect, it } from 'vitest';
import { fakeManagement } from './fake-management.ts';

describe('messages', () => {
  const message = (number: number, userId: string) => ({
    messageId: `m${number}`,
    direction: 'outbound' as const,
    userId,
    message: { type: 'text', text: `Number ${number}` },
    idempotencyKey: `key-${number}`,
    status: 'sent' as const,
    createdAtMs: Date.UTC(2031, 0, number),
    executionId: number === 1 ? 'e1' : null,
    nodeId: number === 1 ? 'n1' : null,
    cause: number === 1 ? 'NUMBER_NOT_REACHABLE' : null,
  });

  it('are listed oldest first, by user and in pages', async () => {
    await using management = await fakeManagement();
    const { ask, logged } = management;
    logged.push(message(1, '51999000111'), message(2, '51999000222'), message(3, '51999000111'));
    const first = await ask('GET', '/bots/bot_wa/messages?userId=51999000111&limit=1');
    expect(first.body).toEqual({
      results: [
        {
          messageId: 'm1',
          direction: 'outbound',
          userId: '51999000111',
          message: { type: 'text', text: 'Number 1' },
          idempotencyKey: 'key-1',
          status: 'sent',
          createdAt: '2031-01-01T00:00:00.000Z',
          executionId: 'e1',
          nodeId: 'n1',
          cause: 'NUMBER_NOT_REACHABLE',
        },
      ],
      nextCursor: 'messages-1',
    });
    const { body } = await ask('GET', '/bots/bot_wa/messages?userId=51999000111&limit=1&cursor=messages-1&companyId=1');
    expect(body).toMatchObject({ results: [{ messageId: 'm3' }], nextCursor: null });
    expect(JSON.stringify(body)).not.toMatch(/executionId|cause/);
  });

  it('are listed since an instant, in either order', async () => {
    await using management = await fakeManagement();
    const { ask, logged } = management;
    logged.push(message(1, '51999000111'), message(2, '51999000222'), message(3, '51999000111'));
    const list = async (query: string) => {
      const { body } = await ask('GET', `/bots/bot_wa/messages?${query}`);
      return (body as { readonly results: readonly { readonly messageId: string }[] }).results.map(({ messageId }) => messageId);
    };
    expect(await list('order=asc')).toEqual(['m1', 'm2', 'm3']);
    expect(await list('order=desc&limit=2')).toEqual(['m3', 'm2']);
    expect(await list('order=desc&limit=2&cursor=messages-2')).toEqual(['m1']);
    expect(await list('since=2031-01-02T00:00:00Z')).toEqual(['m2', 'm3']);
    expect(await list(`since=${encodeURIComponent('2031-01-01T19:00:00-05:00')}&order=desc`)).toEqual(['m3', 'm2']);
  });

  it.for([
    ['since=yesterday', 'since is an instant in ISO 8601 with a zone, such as 2026-01-31T23:59:59Z'],
    ['since=2031-01-02', 'since is an instant in ISO 8601 with a zone, such as 2026-01-31T23:59:59Z'],
    ['order=newest', 'order is asc, desc'],
    ['order=asc&order=desc', 'order may be in the query once'],
    ['conversationId=', 'conversationId is empty'],
    ['conversation=c1', 'conversation is not part of this query: did you mean conversationId?'],
    ['sinc=2031-01-02T00:00:00Z', 'sinc is not part of this query: did you mean since?'],
  ])('are not listed for %s', async ([query, text]) => {
    await using management = await fakeManagement();
    expect(await management.ask('GET', `/bots/bot_wa/messages?${query}`)).toMatchObject({ status: 422, body: { message: [text] } });
  });
});
