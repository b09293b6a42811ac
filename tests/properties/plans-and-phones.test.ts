import { type Channel, channels, type JsonObject } from '@hilo/engine/contract';
import { api } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bsuid, phoneUserId } from '../../packages/testing/src/arbitraries/arbitraries.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { visit } from '../../packages/simulator/src/visit.ts';

/** TMO-01 to TMO-08, implemented independently. */
function expectedDeadline(plan: string, kind: string, configuredMs: number | undefined, hasCertificate: boolean) {
  const isLimited = kind !== 'enterprise' && !hasCertificate;
  const limitMs = isLimited ? (plan === 'growth' ? 30_000 : plan === 'builder' ? 20_000 : 10_000) : null;
  const wantedMs = configuredMs ?? 60_000;
  const appliedMs = limitMs === null ? wantedMs : Math.min(limitMs, wantedMs);
  return { limitMs, configuredMs: configuredMs ?? null, appliedMs, cause: appliedMs < wantedMs ? 'PLAN_TIMEOUT_EXCEEDED' : 'TIMEOUT' };
}

const plan = fc.constantFrom('free', 'builder', 'growth', 'enterprise', 'unheard-of', '');
const kind = fc.constantFrom('self-service', 'enterprise', '');
const seconds = fc.option(fc.oneof(fc.constantFrom(1, 9, 10, 11, 20, 30, 31, 60, 61), fc.integer({ min: 1, max: 4_000 })), {
  nil: undefined,
});

describe('the applied time-out', () => {
  it('is that of the table, for every plan, kind of company and configured value', () =>
    fc.assert(
      fc.property(plan, kind, seconds, fc.boolean(), (plan, kind, seconds, hasCertificate) => {
        const config: JsonObject = {
          url: 'https://api.example',
          ...(seconds !== undefined && { timeout: `PT${seconds}S` }),
          ...(hasCertificate && { clientCertificate: { credentialId: 'cert' } }),
        };
        const { outcome } = visit(api, { config, variables: { $company: { plan, kind } } });
        const { limitMs, configuredMs, appliedMs, cause } = expectedDeadline(
          plan,
          kind,
          seconds === undefined ? undefined : seconds * 1_000,
          hasCertificate,
        );
        expect(outcome).toMatchObject({
          kind: 'perform',
          deadline: { appliedMs, cause, details: { limitMs, configuredMs, appliedMs } },
          effect: { request: { timeoutMs: appliedMs } },
        });
      }),
    ));

  it('cuts the call when it is over, and is logged with its limit', () =>
    fc.assert(
      fc.asyncProperty(plan, kind, seconds, async (plan, kind, seconds) => {
        const canvas = {
          schemaVersion: 1,
          id: 'slow',
          name: 'Slow',
          nodes: [
            { id: 'begin', type: 'start', data: { fallback: true } },
            { id: 'call', type: 'api', data: { url: 'https://api.example', ...(seconds !== undefined && { timeout: `PT${seconds}S` }) } },
            { id: 'done', type: 'end', data: {} },
          ],
          edges: [
            { source: 'begin', target: 'call' },
            { source: 'call', sourceHandle: 'success', target: 'done' },
            { source: 'call', sourceHandle: 'error', target: 'done' },
          ],
        };
        const conversation = await simulate({ canvases: [canvas], company: { plan, kind } });
        await conversation.says('hello');
        const { appliedMs, limitMs, configuredMs, cause } = expectedDeadline(
          plan,
          kind,
          seconds === undefined ? undefined : seconds * 1_000,
          false,
        );
        await conversation.passes(appliedMs - 1);
        expect((await conversation.execution())?.state.pending).toBeDefined();
        await conversation.passes(1);
        const entries = (await conversation.history()).flatMap((record) => record.entries);
        expect(entries).toContainEqual(
          expect.objectContaining({ nodeId: 'call', port: 'error', cause, limitMs, configuredMs, appliedMs, at: conversation.clock.now() }),
        );
      }),
    ));
});

describe('$user.phone and $user.phoneNumber', () => {
  const canvas = {
    schemaVersion: 1,
    id: 'who',
    name: 'Who',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'hook', type: 'webhook', data: { variableName: 'hook', methods: ['POST'], userIdPath: 'userId' } },
      { id: 'done', type: 'end', data: { outputs: { user: '{{$user}}' } } },
    ],
    edges: [
      { source: 'begin', target: 'done' },
      { source: 'hook', sourceHandle: 'new', target: 'done' },
    ],
  };
  /** Phone numbers as channels report them. */
  const written = fc.oneof(
    phoneUserId,
    phoneUserId.map((phone) => `+${phone}`),
    phoneUserId.map((phone) => `${phone.slice(0, 2)} ${phone.slice(2)}`),
    fc.constantFrom('', 'unknown', 'MX.abc'),
  );
  const user = fc.record(
    { id: fc.oneof(phoneUserId, bsuid), phone: written, bsuid, names: fc.constantFrom('Ana', '') },
    { requiredKeys: ['id'] },
  );

  const isRight = ({ phone, phoneNumber, ...others }: JsonObject, channel: Channel): boolean => {
    if (channel !== 'whatsapp') return phone === undefined && phoneNumber === undefined && 'id' in others;
    return phone === phoneNumber && (phone === null || (typeof phone === 'string' && /^[1-9][0-9]{1,14}$/.test(phone)));
  };

  it('are one value, digits or null, on channels with phone numbers, and are absent on others', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(user, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...channels),
        fc.boolean(),
        async ([first, ...others], channel, byWebhook) => {
          const conversation = await simulate({ canvases: [canvas], channel, user: first! });
          await conversation.says('hello');
          for (const { id, phone, bsuid } of others) {
            const more = { ...(phone !== undefined && { phone }), ...(bsuid !== undefined && { bsuid }) };
            if (byWebhook) await conversation.webhook({ body: { userId: id } });
            else
              await conversation.engine.receiveMessage({
                companyId: '1',
                botId: 'bot',
                eventId: id,
                user: { id, ...more },
                message: { id, type: 'text', text: 'hi' },
              });
          }
          await conversation.settles();
          const users = (await conversation.executions()).map(({ state }) => state.ending?.outputs['user'] as JsonObject);
          expect(users.length).toBeGreaterThan(0);
          expect(users.filter((known) => !isRight(known, channel))).toEqual([]);
        },
      ),
    ));
});
