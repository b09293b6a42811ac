import { describe, expect, it, vi } from 'vitest';
import { exampleWorkspace, withPlace } from './open-for-test.ts';

const message = (key: string, userId = '5215512345678') => ({
  companyId: '1',
  botId: 'bot_wa',
  userId,
  message: { type: 'text', text: `text of ${key}` },
  idempotencyKey: key,
});

const inbound = (id: string, userId = '5215512345678') => ({
  companyId: '1',
  botId: 'bot_wa',
  eventId: `event-${id}`,
  user: { id: userId },
  message: { id, type: 'text', text: 'hello' },
});

describe('the message log', () => {
  it(
    'keeps a message once, however often its key comes, at once or later (P4)',
    withPlace(async ({ open }) => {
      const { messages } = await open({ workspace: exampleWorkspace });
      const ids = await Promise.all(Array.from({ length: 20 }, () => messages.sent(message('k1'))));
      expect(new Set([...ids, await messages.sent(message('k1'))]).size).toBe(1);
      expect(await messages.sent(message('k2'))).not.toBe(ids[0]);
      expect(await messages.sent({ ...message('k1'), companyId: '2', botId: 'bot_c2' })).not.toBe(ids[0]);
      expect((await messages.list('1', 'bot_wa', { limit: 10 })).results.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['k1', 'k2']);
    }),
  );

  it(
    'gives the reason why no workflow accepted a message, and so does the log (T17)',
    withPlace(async ({ open, log }) => {
      const { engine, messages } = await open({ workspace: exampleWorkspace });
      expect(await engine.receiveMessage({ ...inbound('m1'), companyId: '2', botId: 'bot_c2' })).toEqual({ outcome: 'unmatched' });
      const cause = await vi.waitFor(async () => {
        const [message] = (await messages.list('2', 'bot_c2', { limit: 10 })).results;
        expect(message).toMatchObject({ messageId: 'm1', status: 'received', cause: expect.any(String) as unknown });
        return message?.cause;
      }, 60_000);
      const warned = { companyId: '2', botId: 'bot_c2', userId: '5215512345678', messageId: 'm1', cause };
      expect(log.lines).toContainEqual({ level: 'warn', fields: warned, message: 'No workflow took a message' });
    }),
  );

  it(
    'keeps a user’s message with its acceptance, and a repetition not at all (P10)',
    withPlace(async ({ open, clock }) => {
      const { engine, messages } = await open({ workspace: exampleWorkspace });
      const copies = await Promise.all([engine.receiveMessage(inbound('m1')), engine.receiveMessage(inbound('m1'))]);
      expect(copies.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(1);
      expect(await engine.receiveMessage(inbound('m1'))).toEqual({ outcome: 'duplicate' });
      await engine.whenIdle();
      const { results } = await messages.list('1', 'bot_wa', { limit: 10 });
      expect(results.filter(({ direction }) => direction === 'inbound')).toEqual([
        {
          messageId: 'm1',
          direction: 'inbound',
          userId: '5215512345678',
          message: { id: 'm1', type: 'text', text: 'hello' },
          idempotencyKey: null,
          status: 'received',
          createdAtMs: clock.now(),
          executionId: null,
          nodeId: null,
          cause: null,
        },
      ]);
      // In order: the user, then the fallback workflow.
      expect(results.map(({ direction }) => direction)).toEqual(['inbound', 'outbound']);
    }),
  );

  it(
    'keeps no message that was not accepted (P3)',
    withPlace(async ({ open }) => {
      const { store, messages } = await open({ workspace: exampleWorkspace });
      await store.close();
      await expect(messages.sent(message('k1'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }),
  );

  it(
    'is read in pages, oldest first, by any id of a user, and never for another company (P28)',
    withPlace(async ({ open }) => {
      const { messages } = await open({ workspace: exampleWorkspace });
      for (let number = 0; number < 7; number += 1) {
        await messages.sent(message(`ana-${number}`));
        await messages.sent(message(`eva-${number}`, '593987654321'));
      }
      const pages: string[][] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Awaited<ReturnType<typeof messages.list>> = await messages.list('1', 'bot_wa', {
          userId: 'MX.a1B2c3',
          limit: 3,
          cursor,
        });
        pages.push(page.results.map(({ idempotencyKey }) => idempotencyKey ?? ''));
        cursor = page.nextCursor;
      }
      expect(pages).toEqual([['ana-0', 'ana-1', 'ana-2'], ['ana-3', 'ana-4', 'ana-5'], ['ana-6']]);
      expect((await messages.list('1', 'bot_wa', { limit: 50 })).results).toHaveLength(14);
      expect((await messages.list('2', 'bot_wa', { limit: 50 })).results).toEqual([]);
      expect((await messages.list('1', 'bot_web', { limit: 50 })).results).toEqual([]);
    }),
  );

  it(
    'keeps any text, as long and as odd as it comes',
    withPlace(async ({ open }) => {
      const { messages } = await open({ workspace: exampleWorkspace });
      const odd = { type: 'text', text: `NUL \0, half \ud800, "quotes" and 😀${'x'.repeat(60_000)}` };
      await messages.sent({ ...message('k1', `odd \0 ${'u'.repeat(400)}`), message: odd });
      const { results } = await messages.list('1', 'bot_wa', { limit: 1 });
      expect(results).toMatchObject([{ message: odd, userId: `odd \0 ${'u'.repeat(400)}` }]);
    }),
  );
});
