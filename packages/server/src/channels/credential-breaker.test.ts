import type { SendResult } from '@hilo/channels';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import type { Bot } from '../tenants/companies.ts';
import { createCredentialBreaker } from './credential-breaker.ts';

const bot = (id: string): Bot => ({
  companyId: '1',
  id,
  name: id,
  channel: 'whatsapp',
  connectedAtMs: 0,
  provider: { kind: 'whatsapp-cloud', fields: {} },
  settings: { userIdFormat: 'strict', enforceSessionWindow: true, templateReopensWindow: 'onReply' },
});
const revoked: SendResult = { kind: 'refused', cause: 'PROVIDER_UNAUTHORIZED', message: '(190) revoked' };

function stage() {
  const clock = createVirtualClock();
  const warned: string[] = [];
  const note = (): void => {};
  const log = { info: note, error: note, warn: (_fields: object, message: string) => void warned.push(message) };
  return { clock, warned, breaker: createCredentialBreaker({ clock, log }) };
}

describe('the breaker of a bot whose credentials are refused (P24)', () => {
  it('opens for that bot alone, and warns once', () => {
    const { breaker, warned } = stage();
    const [revokedBot, other] = [bot('a'), bot('b')];
    breaker.note(revokedBot, revoked);
    breaker.note(revokedBot, revoked);
    expect([breaker.refusal(revokedBot), breaker.refusal(other)]).toEqual([revoked, undefined]);
    expect([breaker.countRefused((one) => one === revokedBot), breaker.countRefused((one) => one === other)]).toEqual([1, 0]);
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain('hilo channels check a');
  });

  it('lets one message a minute try', () => {
    const { breaker, clock } = stage();
    const a = bot('a');
    breaker.note(a, revoked);
    clock.advanceBy(59_999);
    expect(breaker.refusal(a)).toEqual(revoked);
    clock.advanceBy(1);
    expect([breaker.refusal(a), breaker.refusal(a)]).toEqual([undefined, revoked]);
  });

  it.each<[SendResult, boolean]>([
    [{ kind: 'sent' }, true],
    [{ kind: 'refused', cause: 'USER_NOT_FOUND', message: 'no' }, true],
    [{ kind: 'later', cause: 'PROVIDER_RATE_LIMITED', message: 'no' }, false],
    [{ kind: 'unknown', cause: 'TIMEOUT', message: 'no' }, false],
  ])('after %j closes: %s', (result, isClosed) => {
    const { breaker } = stage();
    const a = bot('a');
    breaker.note(a, revoked);
    breaker.note(a, result);
    expect(breaker.refusal(a) === undefined).toBe(isClosed);
    expect(breaker.countRefused(() => true)).toBe(isClosed ? 0 : 1);
  });

  it('is closed for new credentials', () => {
    const { breaker, warned } = stage();
    breaker.note(bot('a'), revoked);
    const mended = bot('a');
    expect(breaker.refusal(mended)).toBeUndefined();
    breaker.note(mended, revoked);
    expect(warned).toHaveLength(2);
  });
});
