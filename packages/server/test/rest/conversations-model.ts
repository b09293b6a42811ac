import fc from 'fast-check';

/** An action at the desk. `whose` picks one of the conversations, the last one first. */
export type Step =
  | { readonly kind: 'opens'; readonly userId: string; readonly to: Wanted }
  | { readonly kind: 'says'; readonly whose: number }
  | { readonly kind: 'ends'; readonly whose: number; readonly verb: 'close' | 'resolve' }
  | { readonly kind: 'moves'; readonly whose: number; readonly verb: 'transfer' | 'assign'; readonly to: Wanted }
  | { readonly kind: 'writes'; readonly userId: string }
  | { readonly kind: 'passes'; readonly ms: number };

interface Wanted {
  readonly operatorId?: number | undefined;
  readonly teamId?: number | undefined;
}

/** The operators of the desk, and the team of each. */
export const operators = new Map([
  [10, 5],
  [11, 5],
  [12, 6],
]);
export const teamNames = new Map([
  [5, 'Support'],
  [6, 'Night'],
]);

const userId = fc.constantFrom('5215512345678', '593987654321');
const whose = fc.constantFrom(0, 0, 0, 1);
/** Sometimes for so long that conversations expire. */
const ms = fc.oneof({ weight: 14, arbitrary: fc.constantFrom(1, 999, 61_000, 3_600_000) }, fc.constantFrom(80_000_000, 86_400_000));
const someone = { operatorId: fc.constantFrom(...operators.keys()), teamId: fc.constantFrom(...teamNames.keys()) };
const to: fc.Arbitrary<Wanted> = fc.oneof(
  fc.record({ operatorId: someone.operatorId }),
  fc.record({ teamId: someone.teamId }),
  fc.record(someone),
);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('opens'), userId, to }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('says'), whose }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ends'), whose, verb: fc.constantFrom('close', 'resolve') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('moves'), whose, verb: fc.constantFrom('transfer', 'assign'), to }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('writes'), userId }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('passes'), ms }),
  },
);

/** A conversation as the rules would have it. Times are milliseconds. */
export interface Case {
  readonly id: string;
  readonly userId: string;
  operatorId: number;
  teamName: string | undefined;
  state: string;
  readonly origin: string;
  readonly parent: string | null;
  child: string | null;
  reason: string | null;
  readonly startMs: number;
  endMs: number | null;
  repliedMs: number | null;
  /** How long the user waited for each answer. */
  readonly waits: number[];
  waitsSinceMs: number | null;
  /** When it expires. */
  dueMs: number;
  last: 'user' | 'operator' | null;
}

/** After so long without a message a conversation expires. */
export const idleMs = 86_400_000;

/** Who attends. */
export type Attendant = Pick<Case, 'operatorId' | 'teamName'>;

/** One that an operator begins now. */
export const caseOf = (id: string, userId: string, conversationJobs: Attendant, nowMs: number): Case => ({
  id,
  userId,
  ...conversationJobs,
  state: 'active',
  origin: 'induced_by_operator',
  parent: null,
  child: null,
  reason: null,
  startMs: nowMs,
  endMs: null,
  repliedMs: null,
  waits: [],
  waitsSinceMs: null,
  dueMs: nowMs + idleMs,
  last: null,
});

/** Of several who could attend: who attends the fewest, then the lowest number. @returns undefined for an operator of another team */
export function attendantOf(cases: readonly Case[], { operatorId, teamId }: Wanted): Attendant | undefined {
  const load = (id: number) => cases.filter((one) => one.state === 'active' && one.operatorId === id).length;
  const [chosen] = [...operators]
    .filter(([id, team]) => (operatorId === undefined || id === operatorId) && (teamId === undefined || team === teamId))
    .toSorted(([left], [right]) => load(left) - load(right) || left - right);
  return chosen === undefined ? undefined : { operatorId: chosen[0], teamName: teamNames.get(chosen[1]) };
}

const average = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 19).replace('T', ' '));

/** The record of a conversation (CON-11 to CON-18), but for the names in it. */
export const recordOf = (one: Case, nowMs: number) => ({
  _id: one.id,
  operator: { id: one.operatorId },
  user: { id: one.userId },
  assignationMethod: { teamName: one.teamName },
  state: one.state,
  wasReplied: one.repliedMs !== null,
  childConversation: one.child,
  parentConversation: one.parent,
  endedReason: one.reason,
  startAt: moment(one.startMs),
  endAt: moment(one.endMs),
  firstRepliedAtOperator: moment(one.repliedMs),
  origin: one.origin,
  timeRepliedOperator: one.repliedMs === null ? null : one.repliedMs - one.startMs,
  conversationDuration: (one.endMs ?? nowMs) - one.startMs,
  avgOperatorResponseTime: average(one.waits),
});

/** The statistics of these conversations (STA-04 to STA-09). */
export function statisticsOf(cases: readonly Case[]) {
  const count = (holds: (one: Case) => boolean): number => cases.filter(holds).length;
  const seconds = (times: readonly number[]): number => (average(times) ?? 0) / 1_000;
  return {
    total: cases.length,
    actual: count(({ state }) => state === 'active'),
    attended: count(({ repliedMs }) => repliedMs !== null),
    expired: count(({ state, repliedMs }) => state === 'expired' && repliedMs === null),
    lastMessageOperator: count(({ last }) => last === 'operator'),
    lastMessageUser: count(({ last }) => last === 'user'),
    lastMessageBot: 0,
    notAttended: count(({ repliedMs }) => repliedMs === null),
    avgReplyTime: seconds(cases.flatMap(({ repliedMs, startMs }) => (repliedMs === null ? [] : [repliedMs - startMs]))),
    avgOperatorResponseTime: seconds(cases.flatMap(({ waits }) => waits)),
    transfered: count(({ state }) => state === 'transferred'),
    avgConversationTime: seconds(cases.flatMap(({ endMs, startMs }) => (endMs === null ? [] : [endMs - startMs]))),
  };
}
