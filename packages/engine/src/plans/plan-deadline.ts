/** What a company is to the plan rules. */
export interface PlanHolder {
  readonly plan: string;
  readonly kind: string;
}

/** A call whose time a plan may limit. */
export interface TimedCall {
  readonly node: 'api' | 'soap' | 'database';
  /** The node's own time-out; `undefined` when the author set none. */
  readonly configuredMs: number | undefined;
  readonly hasClientCertificate: boolean;
}

/** How long a call may take and what its end by time is called (TMO-06). */
export interface PlanDeadline {
  /** The plan's limit; null where none applies. */
  readonly limitMs: number | null;
  readonly configuredMs: number | null;
  readonly appliedMs: number;
  readonly cause: 'PLAN_TIMEOUT_EXCEEDED' | 'TIMEOUT';
}

/** TMO-01, in milliseconds. A self-service company on a plan that is not listed gets the smallest. */
const planLimitsMs = new Map([
  ['free', 10_000],
  ['builder', 20_000],
  ['growth', 30_000],
]);

/** How long a call may take where neither its node nor the plan says it: one minute, in milliseconds. */
export const defaultTimeoutMs = 60_000;
const longestDatabaseMs = 3_600_000;

/**
 * The time-out from a plan, a company kind and a node together (TMO-01 to TMO-07).
 *
 * Enterprise companies, the database node and calls with a client certificate have no plan limit (TMO-02 to TMO-04).
 */
export function planDeadline({ plan, kind }: PlanHolder, { node, configuredMs, hasClientCertificate }: TimedCall): PlanDeadline {
  const wantedMs = Math.min(configuredMs ?? defaultTimeoutMs, node === 'database' ? longestDatabaseMs : Number.POSITIVE_INFINITY);
  const isExempt = kind === 'enterprise' || node === 'database' || hasClientCertificate;
  const limitMs = isExempt ? null : (planLimitsMs.get(plan) ?? Math.min(...planLimitsMs.values()));
  const isCut = limitMs !== null && limitMs < wantedMs;
  return {
    limitMs,
    configuredMs: configuredMs ?? null,
    appliedMs: isCut ? limitMs : wantedMs,
    cause: isCut ? 'PLAN_TIMEOUT_EXCEEDED' : 'TIMEOUT',
  };
}

/**
 * When a held user is released though the node continues, in milliseconds (RET-01 to RET-03): five minutes for an AI task,
 * the node's time-out for `api` and `soap`, the configured maximum of at most an hour for `database`.
 */
export function holdCapMs(node: 'ai-task' | 'api' | 'soap' | 'database' | 'function', configuredMs: number | undefined): number {
  if (node === 'ai-task') return 300_000;
  const capMs = configuredMs ?? defaultTimeoutMs;
  return node === 'database' ? Math.min(capMs, longestDatabaseMs) : capMs;
}
