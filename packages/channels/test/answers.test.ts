// What answers to a send mean that no table of a provider tells of: one rule for all adapters (P2, P5).
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import type { ChannelHost, SendResult } from '../src/channel-adapter.ts';
import { providers } from './providers.ts';
import { outbound } from './stage.ts';

/** An error of each provider's own form, with a code that it does not publish. */
const unknownErrors: { readonly [kind: string]: JsonObject } = {
  'whatsapp-cloud': { error: { code: 987_654, message: 'Never heard of' } },
  messenger: { error: { code: 987_654, message: 'Never heard of' } },
  instagram: { error: { code: 987_654, message: 'Never heard of' } },
  slack: { ok: false, error: 'never_heard_of' },
  teams: { error: { code: 'NeverHeardOf', message: 'Never heard of' } },
  x: { title: 'Never heard of', type: 'about:blank' },
  custom: { error: 'Never heard of' },
};

const known = (await providers()).filter(({ adapter }) => !adapter.isRecordOnly);

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs?: number;
}

/** The result of a send that the provider answers in this way. */
async function resultOf(kind: string, { status, body, retryAfterMs }: Answer): Promise<SendResult> {
  const provider = known.find(({ adapter }) => adapter.kind === kind);
  const bot = { companyId: '7', id: 'bot', channel: provider?.channel ?? 'custom', userIdFormat: 'open' } as const;
  const connected = provider?.adapter.connect(bot, provider.fields('https://provider.example'));
  if (connected === undefined || 'unfitFields' in connected) throw new Error(`There is a provider "${kind}"`);
  const request: ChannelHost['dialer']['request'] = ({ url }) => {
    const isToken = url.endsWith('/token');
    const text = isToken ? '{"access_token":"token","expires_in":3600}' : body;
    return Promise.resolve({
      url,
      status: isToken ? 200 : status,
      headers: {},
      body: new TextEncoder().encode(text),
      retryAfterMs: isToken ? undefined : retryAfterMs,
    });
  };
  return connected.send(outbound({ type: 'text', text: 'Hi' }), { clock: { now: Date.now }, dialer: { request } });
}

const page = '<html><body>Bad gateway</body></html>';
const refused = { kind: 'refused', cause: 'PROVIDER_REFUSED' };
const unauthorized = { kind: 'refused', cause: 'PROVIDER_UNAUTHORIZED' };
const later = { kind: 'later', cause: 'PROVIDER_UNAVAILABLE' };
const unknown = { kind: 'unknown', cause: 'PROVIDER_UNAVAILABLE' };

describe.each(known.map(({ adapter }) => adapter))(
  'an answer of $kind that its table does not tell of',
  ({ kind, takesIdempotencyKey }) => {
    const error = JSON.stringify(unknownErrors[kind]);

    it.each([409, 418, 422, 499])('is a refusal with the status %i, with an error and without', async (status) => {
      expect(await resultOf(kind, { status, body: error })).toMatchObject(refused);
      expect(await resultOf(kind, { status, body: page })).toMatchObject(refused);
    });

    it('refuses the credentials with the status 401, where they are a token of the provider', async () => {
      const expected = takesIdempotencyKey ? refused : unauthorized;
      expect(await resultOf(kind, { status: 401, body: error })).toMatchObject(expected);
      expect(await resultOf(kind, { status: 401, body: page })).toMatchObject(expected);
    });

    it.each([error, page])('asks for time with the status 429, and says for how long: %s', async (body) => {
      expect(await resultOf(kind, { status: 429, body, retryAfterMs: 7_000 })).toMatchObject({ kind: 'later', retryAfterMs: 7_000 });
    });

    it.each([500, 501, 502, 504, 520, 599])(
      'leaves the outcome unknown with the status %i, unless the provider drops repetitions (P5)',
      async (status) => {
        const expected = takesIdempotencyKey ? { kind: 'later', cause: 'PROVIDER_REFUSED' } : unknown;
        expect(await resultOf(kind, { status, body: error })).toMatchObject(expected);
        expect(await resultOf(kind, { status, body: page })).toMatchObject(expected);
        expect(await resultOf(kind, { status, body: page, retryAfterMs: 7_000 })).toMatchObject(expected);
      },
    );

    it('is certainly not accepted with the status 503, where the provider itself says so or names a time', async () => {
      const expected = takesIdempotencyKey ? { kind: 'later', cause: 'PROVIDER_REFUSED' } : later;
      expect(await resultOf(kind, { status: 503, body: error })).toMatchObject(expected);
      expect(await resultOf(kind, { status: 503, body: page, retryAfterMs: 7_000 })).toMatchObject({ ...expected, retryAfterMs: 7_000 });
      expect(await resultOf(kind, { status: 503, body: page })).toMatchObject(takesIdempotencyKey ? expected : unknown);
    });

    it.runIf(!takesIdempotencyKey)(
      'leaves the outcome unknown with the status 200 and nothing that confirms the message (P5)',
      async () => {
        for (const body of ['', page, '{}', '[]', 'null', '"sent"'])
          expect(await resultOf(kind, { status: 200, body })).toMatchObject({ kind: 'unknown', cause: 'PROVIDER_ANSWER_UNREADABLE' });
      },
    );
  },
);

describe('an error that a provider publishes', () => {
  const meta = (code: number, subcode?: number): JsonObject => ({
    error: { message: 'No', type: 'OAuthException', code, ...(subcode !== undefined && { error_subcode: subcode }) },
  });

  it.each<[kind: string, status: number, body: JsonObject, result: JsonObject]>([
    // The window of one person is no fault of the bot, whose other messages leave.
    ['instagram', 403, meta(10, 2_534_022), { kind: 'refused', cause: 'OUTSIDE_SESSION_WINDOW' }],
    ['messenger', 403, meta(10, 2_018_278), { kind: 'refused', cause: 'OUTSIDE_SESSION_WINDOW' }],
    ['messenger', 403, meta(10, 2_018_065), { kind: 'refused', cause: 'OUTSIDE_SESSION_WINDOW' }],
    ['messenger', 403, meta(10), unauthorized],
    ['messenger', 403, meta(200, 1_545_041), { kind: 'refused', cause: 'USER_NOT_FOUND' }],
    ['messenger', 403, meta(230), unauthorized],
    // One person's own trouble, which must not hold back what the bot says to others.
    ['messenger', 403, meta(10, 2_018_108), { kind: 'refused', cause: 'USER_NOT_FOUND' }],
    ['messenger', 403, meta(10, 999), refused],
    ['messenger', 403, meta(200, 2_018_028), refused],
    ['instagram', 403, meta(230, 999), refused],
    ['messenger', 401, meta(190, 463), unauthorized],
    ['whatsapp-cloud', 400, meta(131_030), { kind: 'refused', cause: 'USER_NOT_FOUND' }],
    ['whatsapp-cloud', 400, meta(132_018), { kind: 'refused', cause: 'INVALID_PARAMETERS' }],
    ['whatsapp-cloud', 400, meta(80_008), { kind: 'later', cause: 'PROVIDER_RATE_LIMITED' }],
    ['slack', 200, { ok: false, error: 'team_access_not_granted' }, unauthorized],
    ['slack', 200, { ok: false, error: 'user_disabled' }, { kind: 'refused', cause: 'USER_NOT_FOUND' }],
    ['slack', 200, { ok: false, error: 'restricted_action' }, refused],
    ['messenger', 400, meta(1_200), later],
    ['messenger', 400, meta(80_006), { kind: 'later', cause: 'PROVIDER_RATE_LIMITED' }],
    ['instagram', 400, meta(80_002), { kind: 'later', cause: 'PROVIDER_RATE_LIMITED' }],
    ['instagram', 400, meta(100, 2_534_014), { kind: 'refused', cause: 'USER_NOT_FOUND' }],
    ['messenger', 400, meta(100, 2_018_008), { kind: 'refused', cause: 'INVALID_MEDIA_URL' }],
    ['messenger', 400, meta(100, 2_018_109), { kind: 'refused', cause: 'MEDIA_TOO_LARGE' }],
    ['messenger', 400, meta(100, 999), { kind: 'refused', cause: 'INVALID_REQUEST' }],
    ['whatsapp-cloud', 500, meta(131_016), later],
    ['whatsapp-cloud', 500, meta(131_057), later],
    ['whatsapp-cloud', 503, meta(133_004), later],
    ['whatsapp-cloud', 403, meta(131_005), unauthorized],
    ['whatsapp-cloud', 403, meta(200), unauthorized],
    ['whatsapp-cloud', 403, meta(299), unauthorized],
    ['whatsapp-cloud', 403, meta(300), refused],
    ['whatsapp-cloud', 400, meta(131_037), unauthorized],
    ['whatsapp-cloud', 403, meta(130_497), { kind: 'refused', cause: 'NOT_DELIVERED' }],
    ['whatsapp-cloud', 500, meta(131_045), { kind: 'refused', cause: 'BOT_NOT_FOUND' }],
    ['teams', 412, { error: { code: 'PreconditionFailed', message: 'Precondition failed' } }, later],
  ])('of %s, with %i and %j, is what it says', async (kind, status, body, result) => {
    expect(await resultOf(kind, { status, body: JSON.stringify(body) })).toMatchObject(result);
  });
});
