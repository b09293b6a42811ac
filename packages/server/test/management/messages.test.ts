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
});
