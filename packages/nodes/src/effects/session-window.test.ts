import { type Channel, channels, type DriverContext, sessionWindowMs } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reopeningWindow, type TemplateReopensWindow, windowIsOpen, withSessionWindow } from './send-message.ts';

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
const channel = fc.constantFrom(...channels);

const context = ({
  channel,
  windowUntilMs = null,
  nowMs = 0,
}: {
  channel?: Channel;
  windowUntilMs?: number | null;
  nowMs?: number;
}): DriverContext => ({
  idempotencyKey: 'key',
  executionId: 'e',
  nodeId: 'n',
  attempt: 1,
  origin: { companyId: 'c', botId: 'b', userId: '51999', route: 'production', ...(channel !== undefined && { channel }) },
  contact: { botId: 'b', userId: '51999', names: null, phone: null, bsuid: null, timeZone: null, locale: null, windowUntilMs, memory: {} },
  nowMs,
  signal: new AbortController().signal,
});

describe('windowIsOpen', () => {
  it('lasts 24 hours from the last message, the last millisecond excluded (WIN-01)', () =>
    fc.assert(
      fc.property(instant, (lastMs) => {
        const contact = { windowUntilMs: lastMs + sessionWindowMs };
        expect(sessionWindowMs).toBe(86_400_000);
        expect(windowIsOpen(contact, 'whatsapp', lastMs + 86_399_999)).toBe(true);
        expect(windowIsOpen(contact, 'whatsapp', lastMs + 86_400_000)).toBe(false);
        expect(windowIsOpen(contact, 'whatsapp', lastMs + 86_400_001)).toBe(false);
      }),
    ));

  it('is closed for an unknown user, on whatsapp alone (WIN-01)', () =>
    fc.assert(
      fc.property(
        channel,
        instant,
        fc.constantFrom(undefined, { windowUntilMs: null }, { windowUntilMs: 0 }),
        (channel, nowMs, contact) => {
          expect(windowIsOpen(contact, channel, nowMs)).toBe(channel !== 'whatsapp');
        },
      ),
    ));
});

describe('withSessionWindow', () => {
  const sent = { kind: 'sent', messageId: 'm' } as const;

  it('calls the driver exactly when the window is open at the time of sending, or need not be (WIN-03, WIN-04)', () =>
    fc.assert(
      fc.asyncProperty(channel, fc.option(instant), instant, fc.boolean(), async (channel, windowUntilMs, nowMs, isEnforced) => {
        const asked: unknown[] = [];
        const guarded = withSessionWindow((request) => (asked.push(request), sent), { enforce: () => isEnforced });
        const result = await guarded({ message: 'x' }, context({ channel, windowUntilMs, nowMs }));
        const maySend = !isEnforced || channel !== 'whatsapp' || (windowUntilMs !== null && nowMs < windowUntilMs);
        expect(result).toEqual(maySend ? sent : { kind: 'windowClosed' });
        expect(asked).toHaveLength(maySend ? 1 : 0);
      }),
    ));

  it('gets the sending bot', async () => {
    const guarded = withSessionWindow(() => sent, { enforce: ({ botId }) => botId !== 'b' });
    expect(await guarded({ message: 'x' }, context({ channel: 'whatsapp' }))).toEqual(sent);
  });

  it('passes messages through without a channel', async () => {
    expect(await withSessionWindow(() => sent, { enforce: () => true })({ message: 'x' }, context({}))).toEqual(sent);
  });
});

describe('reopeningWindow', () => {
  const policy = fc.constantFrom<TemplateReopensWindow>('onSend', 'onReply');
  const request = { templateId: 't', parameters: {} };

  it('opens the window for 24 hours with a template sent on whatsapp, under onSend alone (WIN-02)', () =>
    fc.assert(
      fc.asyncProperty(channel, policy, instant, fc.boolean(), async (channel, policy, nowMs, isByBot) => {
        const driver = reopeningWindow(async () => ({ kind: 'sent', messageId: 'm' }), isByBot ? () => policy : policy);
        const result = await driver(request, context({ channel, nowMs }));
        const reopened = channel === 'whatsapp' && policy === 'onSend' ? { windowUntilMs: nowMs + sessionWindowMs } : {};
        expect(result).toEqual({ kind: 'sent', messageId: 'm', ...reopened });
      }),
    ));

  it('opens nothing with a template that was refused', async () => {
    const refused = { kind: 'refused', cause: 'INVALID_TEMPLATE', message: 'gone' } as const;
    expect(await reopeningWindow(() => refused, 'onSend')(request, context({ channel: 'whatsapp' }))).toEqual(refused);
  });
});
