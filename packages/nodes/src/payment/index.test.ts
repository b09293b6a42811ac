import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payment } from './index.ts';

const order = { amount: 1250, currency: 'MXN', description: 'Order 7' };
const opened = { kind: 'opened', checkoutId: 'pay_1', url: 'https://pay.test/1' };
const sent = { kind: 'sent', messageId: 'm' };
const told = (status: Json) => ({ kind: 'received', payload: { checkoutId: 'pay_1', status } });
const late = { kind: 'timeout', lateByMs: 0 };

const visited = (config: JsonObject, results: readonly Json[], connected: readonly string[] = []) =>
  visit(payment, { config: { ...order, ...config }, results, connected });

describe('payment', () => {
  it('opens a checkout, sends its link and waits for its result', () => {
    expect(visited({ timeout: 'PT2H' }, [opened, sent]).effects).toEqual([
      { type: 'payment.open', request: { ...order, openMs: 7_200_000, timeoutMs: 30_000 } },
      { type: 'message.send', request: { message: { type: 'text', text: 'Order 7\nhttps://pay.test/1', previewUrl: true } } },
      { type: 'wait.payment', request: { kind: 'payment', key: 'pay_1', dueInMs: 7_200_000 } },
    ]);
  });

  it('names the account, and computes the order', () => {
    const config = { auth: { credentialId: 'stripe' }, amount: '{{$context.total * 2}}', description: 'Order {{$context.id}}' };
    const { effects } = visit(payment, { config: { ...order, ...config }, variables: { $context: { total: 625, id: 7 } } });
    expect(effects[0]?.request).toMatchObject({ credentialId: 'stripe', amount: 1250, description: 'Order 7' });
    expect(payment.references(payment.config.parse({ ...order, ...config }))).toEqual([
      { kind: 'credential', suits: ['stripe'], id: 'stripe', at: ['auth', 'credentialId'] },
    ]);
  });

  it.each(['approved', 'rejected'] as const)('leaves by %s with the checkout', (status) => {
    expect(visited({ saveAs: '$context.payment' }, [opened, sent, told(status)])).toMatchObject({
      by: status,
      writes: { '$context.payment': { checkoutId: 'pay_1', url: 'https://pay.test/1', amount: 1250, currency: 'MXN', status } },
    });
  });

  it('leaves by expired when the provider reports it, or after its time (P13)', () => {
    for (const end of [told('expired'), late])
      expect(visited({ saveAs: '$context.payment' }, [opened, sent, end])).toMatchObject({
        by: 'expired',
        failure: { cause: 'EXPIRED' },
        writes: { '$context.payment': { status: 'expired' } },
      });
  });

  it('leaves by pending when that is connected, and otherwise keeps waiting', () => {
    expect(visited({}, [opened, sent, told('pending')], ['pending'])).toMatchObject({ by: 'pending', failure: { cause: 'PENDING' } });
    const waiting = visited({}, [opened, sent, told('pending')]);
    expect(waiting.effects.map(({ type }) => type)).toEqual(['payment.open', 'message.send', 'wait.payment', 'wait.payment']);
    expect(visited({}, [opened, sent, told('pending'), told('approved')]).by).toBe('approved');
  });

  it('approves only a valid payload', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const status = (payload as { readonly status?: unknown } | null)?.status;
        fc.pre(!['approved', 'rejected', 'pending', 'expired'].includes(String(status)));
        expect(visited({}, [opened, sent, { kind: 'received', payload: payload as Json }])).toMatchObject({
          by: 'error',
          failure: { cause: 'PAYMENT_UNKNOWN' },
        });
      }),
    ));

  it('leaves by error when there is no checkout, and sends no link (PAY-02)', () => {
    const refused = visited({}, [{ kind: 'refused', cause: 'TEST_LIMIT_REACHED', message: 'Ten tests were made' }]);
    expect(refused).toMatchObject({ by: 'error', failure: { cause: 'TEST_LIMIT_REACHED' } });
    expect(refused.effects).toHaveLength(1);
    const failed = { kind: 'failed', message: 'No answer', outcome: 'unknown', retryAfterMs: 5 };
    expect(visited({}, [{ ...failed, reason: 'timeout' }]).failure).toMatchObject({ cause: 'TIMEOUT', details: { outcome: 'unknown' } });
    expect(visited({}, [{ ...failed, reason: 'unavailable' }]).failure).toMatchObject({
      cause: 'PAYMENT_UNAVAILABLE',
      details: { retryAfterMs: 5 },
    });
  });

  it('leaves by error when the link does not reach the user (WIN-01)', () => {
    expect(visited({}, [opened, { kind: 'windowClosed' }])).toMatchObject({ by: 'error', failure: { cause: 'WINDOW_CLOSED' } });
    expect(visited({}, [opened, { kind: 'refused', cause: 'BLOCKED', message: 'No' }])).toMatchObject({
      by: 'error',
      failure: { cause: 'BLOCKED' },
    });
  });

  it.each<readonly [Json]>([[0], [-1], [12.5], [2 ** 53], ['1250'], [null], [[1250]]])('opens no checkout over %j', (total) => {
    const { by, failure, effects } = visit(payment, {
      config: { ...order, amount: '{{$context.total}}' },
      variables: { $context: { total } },
    });
    expect({ by, cause: failure?.cause, effects }).toEqual({ by: 'error', cause: 'INVALID_AMOUNT', effects: [] });
  });

  it.each([[''], ['  \n'], ['x'.repeat(251)]])('opens no checkout with the description %j', (words) => {
    const { failure, effects } = visit(payment, {
      config: { ...order, description: '{{$context.words}}' },
      variables: { $context: { words } },
    });
    expect({ cause: failure?.cause, effects }).toEqual({ cause: 'INVALID_DESCRIPTION', effects: [] });
  });
});

describe('the message of payment', () => {
  const message = { type: 'text', text: 'Pay {{$context.payment.amount}}: {{$context.payment.url}} {{$user.names}}' };
  const config = { ...order, saveAs: '$context.payment', message };

  it('reads the checkout where saveAs names it, which nothing has to write before', () => {
    const { effects } = visit(payment, { config, variables: { $user: { names: 'Ana' } }, results: [opened] });
    expect(effects[1]?.request).toEqual({ message: { type: 'text', text: 'Pay 1250: https://pay.test/1 Ana', previewUrl: true } });
    expect(payment.config.parse(config).message?.reads.map(({ path }) => path)).toEqual([['$user', 'names']]);
  });

  it('computes with the checkout, and with the fields beside it', () => {
    const text = 'Pay {{$context.payment.amount / $context.parts}} twice: {{$context.payment.url}}';
    const parts = { ...config, message: { ...message, text } };
    const { effects } = visit(payment, { config: parts, variables: { $context: { parts: 2, payment: null } }, results: [opened] });
    expect(effects[1]?.request).toMatchObject({ message: { text: 'Pay 625 twice: https://pay.test/1' } });
  });

  it.each([
    ['reads no checkout', { message: { type: 'text', text: 'Pay {{$context.other.url}}' } }],
    ['has no variable to read it from', { saveAs: undefined }],
    ['is none', { message: { type: 'song', text: '{{$context.payment.url}}' } }],
  ])('is refused when it %s', (_what, change) => {
    expect(payment.config.safeParse({ ...config, ...change }).success).toBe(false);
  });

  it('leads to error when the channel does not take it', () => {
    const tooLong = { ...config, message: { ...message, text: `${'x'.repeat(4_096)}{{$context.payment.url}}` } };
    const { by, failure } = visit(payment, { config: tooLong, channel: 'whatsapp', results: [opened] });
    expect({ by, cause: failure?.cause }).toEqual({ by: 'error', cause: 'INVALID_MESSAGE' });
  });
});

describe('the config of payment', () => {
  it.each([
    ['an amount of nothing', { amount: 0 }],
    ['an amount with cents', { amount: 12.5 }],
    ['an amount in words', { amount: 'twelve' }],
    ['no amount', { amount: undefined }],
    ['a currency in small letters', { currency: 'mxn' }],
    ['a currency that is a symbol', { currency: '$' }],
    ['an amount that can only be a text', { amount: '{{$context.total}}.00' }],
    ['no description', { description: undefined }],
    ['a blank description', { description: ' \n' }],
    ['a description that no page has place for', { description: 'x'.repeat(251) }],
    ['a time-out in seconds', { timeout: 3600 }],
    ['a secret in place of a credential', { auth: { secretKey: 'sk_test_1' } }],
    ['a place that is none', { saveAs: 'payment' }],
    ['a field it does not have', { provider: 'stripe' }],
  ])('refuses %s (GEN-07)', (_what, change) => {
    expect(payment.config.safeParse({ ...order, ...change }).success).toBe(false);
  });

  it('shows the order on the canvas, and that it is a test', () => {
    expect(payment.visual.summary?.(order)).toBe('1250 MXN · test');
    expect(payment.visual.summary?.({ ...order, auth: { credentialId: 'stripe' } })).toBe('1250 MXN');
  });
});
