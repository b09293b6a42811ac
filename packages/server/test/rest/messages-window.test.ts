import { createVirtualClock, seededRandom } from '@hilo/testing';
import { openSqliteStore } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { createOutbox } from '../../src/messages/outbox.ts';
import type { Send } from '../../src/messages/messages.ts';
import type { Bot } from '../../src/tenants/companies.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { ana } from './rest-stage.ts';

const bot: Bot = {
  companyId: '1',
  id: 'bot_wa',
  name: 'WhatsApp',
  channel: 'whatsapp',
  connectedAtMs: 0,
  provider: { kind: 'whatsapp-cloud', fields: {} },
  settings: { userIdFormat: 'strict', enforceSessionWindow: true, templateReopensWindow: 'onSend' },
};

const send = (message: Send['message']): Send => ({ companyId: '1', botId: 'bot_wa', userId: ana, knownAs: ana, message });
const dayMs = 86_400_000;

describe('a message that waits for its turn', () => {
  it.each([
    ['of the REST API', undefined],
    ['of a workflow', { executionId: 'e', nodeId: 'n', idempotencyKey: 'k' }],
  ])('meets the window as it is when it leaves; a template %s leaves, and opens it (WIN-02, WIN-04, TPL-10)', async (_, workflow) => {
    const clock = createVirtualClock();
    const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
    const contact = { companyId: '1', botId: 'bot_wa', userId: ana, windowUntilMs: clock.now() + dayMs };
    await store.executions.commit({ saves: [], history: [], contacts: [contact], enqueue: [], dequeue: [] });
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const left: unknown[] = [];
    const outbox = createOutbox({
      store,
      isRecordOnly: () => false,
      companies: { botOf: () => bot },
      clock,
      random: seededRandom(1),
      log: { info: () => {}, warn: () => {}, error: () => {} },
      async deliver(_bot, { message, messageId }) {
        left.push(message['text']);
        if (left.length === 1) await held;
        return { kind: 'sent', messageId };
      },
    });
    const messages = [
      { type: 'text', text: 'in time' },
      { type: 'text', text: 'too late' },
      { type: 'template', text: 'template' },
      { type: 'text', text: 'in time again' },
    ];
    const accepted = async (message: Send['message']): Promise<string> => {
      const acceptance = await outbox.accept(send(message));
      return 'messageId' in acceptance ? acceptance.messageId : acceptance.kind;
    };
    const sent = async (message: Send['message'], origin: NonNullable<typeof workflow>): Promise<string> => {
      const outbound = {
        companyId: '1',
        botId: 'bot_wa',
        userId: ana,
        message,
        ...origin,
      };
      const came = await outbox.send(bot, outbound, new AbortController().signal);
      return came.kind === 'sent' ? came.messageId : came.cause;
    };
    const taken = messages.map((message) =>
      message.type === 'template' && workflow !== undefined ? sent(message, workflow) : accepted(message),
    );
    await expect.poll(() => left.length).toBe(1);
    clock.advanceBy(dayMs);
    release();
    const names = await Promise.all(taken);
    const states = () => Promise.all(names.map((name) => outbox.find('1', 'bot_wa', name)));
    await expect.poll(async () => (await states()).map((state) => state?.status)).toEqual(['sent', 'failed', 'sent', 'sent']);
    expect((await states()).map((state) => state?.error?.code)).toEqual([undefined, 'OUTSIDE_SESSION_WINDOW', undefined, undefined]);
    expect(left).toEqual(['in time', 'template', 'in time again']);
    await outbox.stop();
    await store.close();
  });
});
