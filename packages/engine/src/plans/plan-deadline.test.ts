import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdCapMs, type PlanHolder, planDeadline, type TimedCall } from './plan-deadline.ts';

const holder: fc.Arbitrary<PlanHolder> = fc.record({
  plan: fc.constantFrom('free', 'builder', 'growth', 'unheard-of', ''),
  kind: fc.constantFrom('self-service', 'enterprise', 'partner', ''),
});

/** Around every value that a rule names, and anywhere. */
const configuredMs = fc.option(
  fc.oneof(
    fc.constantFrom(10_000, 20_000, 30_000, 60_000, 3_600_000).chain((ms) => fc.constantFrom(ms - 1, ms, ms + 1)),
    fc.integer({ min: 1, max: 10_000_000 }),
  ),
  { nil: undefined },
);

const call: fc.Arbitrary<TimedCall> = fc.record({
  node: fc.constantFrom('api', 'soap', 'database'),
  configuredMs,
  hasClientCertificate: fc.boolean(),
});

/** The rules, restated as a table: the first matching line. */
function limitByTheRules({ plan, kind }: PlanHolder, { node, hasClientCertificate }: TimedCall): number | null {
  if (kind === 'enterprise') return null; // TMO-02
  if (node === 'database') return null; // TMO-03
  if (hasClientCertificate) return null; // TMO-04
  if (plan === 'builder') return 20_000; // TMO-01, and TMO-05: soap as api
  if (plan === 'growth') return 30_000;
  return 10_000; // free, and any unknown plan
}

describe('planDeadline', () => {
  it('follows the rules for every plan, company, node and time-out (TMO-01 to TMO-07)', () =>
    fc.assert(
      fc.property(holder, call, (holder, call) => {
        const limitMs = limitByTheRules(holder, call);
        const wantedMs = call.configuredMs ?? 60_000;
        const ownMs = call.node === 'database' && wantedMs > 3_600_000 ? 3_600_000 : wantedMs; // RET-03
        const isCut = limitMs !== null && limitMs < ownMs;
        expect(planDeadline(holder, call)).toEqual({
          limitMs,
          configuredMs: call.configuredMs ?? null,
          appliedMs: isCut ? limitMs : ownMs,
          cause: isCut ? 'PLAN_TIMEOUT_EXCEEDED' : 'TIMEOUT',
        });
      }),
      { numRuns: 1000 },
    ));

  it.each([
    ['free', 10_000],
    ['builder', 20_000],
    ['growth', 30_000],
  ])('applies the limit of plan %s, and names the plan as the cause only above it (TMO-01, TMO-07)', (plan, limitMs) => {
    const cause = (configuredMs: number) =>
      planDeadline({ plan, kind: 'self-service' }, { node: 'api', configuredMs, hasClientCertificate: false }).cause;
    expect([limitMs - 1, limitMs, limitMs + 1].map(cause)).toEqual(['TIMEOUT', 'TIMEOUT', 'PLAN_TIMEOUT_EXCEEDED']);
  });
});

describe('holdCapMs', () => {
  it('is five minutes for an AI task, for any configuration (RET-01)', () => {
    expect([undefined, 1, 3_600_000].map((ms) => holdCapMs('ai-task', ms))).toEqual([300_000, 300_000, 300_000]);
  });

  it.each(['api', 'soap'] as const)('is the time-out of %s, 60 s if unset (RET-02)', (node) => {
    expect([undefined, 1, 3_600_001].map((ms) => holdCapMs(node, ms))).toEqual([60_000, 1, 3_600_001]);
  });

  it('is the maximum of database, 60 s if unset, for at most an hour (RET-03)', () => {
    expect([undefined, 3_599_999, 3_600_000, 3_600_001].map((ms) => holdCapMs('database', ms))).toEqual([
      60_000, 3_599_999, 3_600_000, 3_600_000,
    ]);
  });
});
