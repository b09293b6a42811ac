// A conversation with a canvas, as tests hold one.
import type { Engine, WebhookAccepted } from '@hilo/engine';
import type { ExecutionRecord, ExecutionStore, HiloError, HistoryRecord, Json, JsonObject, OpenWait } from '@hilo/engine/contract';
import type { ScriptInput, WebhookInput } from '../script/script-input.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { OperatorAct } from './desk.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { ApiAnswer } from './scripted-api.ts';
import { unmatchedLine } from './transcript.ts';
import { simulatedIds } from './world.ts';

/** A conversation with a canvas. After each method everything has settled: every execution has ended, waits, or has a pending call. */
export interface Conversation {
  /** The user writes a text, presses a button (its payload), or sends any other message. */
  says(said: string | { readonly payload: string; readonly text?: string } | JsonObject): Promise<void>;
  /** Delivers the user's last message again. */
  repeats(): Promise<void>;
  /**
   * Calls a webhook.
   *
   * @returns the answer; `pending` while the call is queued behind unfinished work
   */
  webhook(call?: WebhookInput): Promise<WebhookAccepted | HiloError | 'pending'>;
  /** Time passes: `2h`, `1d12h`, an ISO 8601 duration, or milliseconds. Every timer on the way fires at its time. */
  passes(duration: string | number): Promise<void>;
  /** The endpoint called first, of those without an answer, answers; without one, the next call gets this answer. */
  apiAnswers(answer: ApiAnswer): Promise<void>;
  /**
   * Answers the oldest pending call of an effect, or else the next one: of `model.ask`, `function.call`, `mcp.call`, `database.call`, `soap.call`,
   * `payment.open`, or of an effect of your own.
   *
   * @param answer - the effect's result, such as `{ kind: 'returned', value: 7 }`; fields with an obvious default may be left out
   * @throws {HiloError} `INVALID_SCRIPT` for an answer that does not fit the effect
   */
  answers(effect: string, answer: Json): Promise<void>;
  /** Acts as the operator: `says` with a text, `closes`, `expires`; `none`: the next hand-off finds no operator. */
  operator(does: OperatorAct['does'], text?: string): Promise<void>;
  signals(name: string, correlation?: string, payload?: Json): Promise<void>;
  /** Cancels an execution; the youngest that has not ended, when none is named. */
  cancels(executionId?: string): Promise<void>;
  /** Kills the process and starts another: only the stores are left. Pending calls are made again. */
  restarts(): Promise<void>;
  /** Any of these inputs, as data. @param line - its line in the transcript */
  plays(input: ScriptInput, line?: string): Promise<void>;
  /** Adds a line to the transcript. */
  notes(line: string): void;
  /** For callers that use the engine directly: resolves when everything has settled. */
  settles(): Promise<void>;

  /** All that happened, as text: a script that can be replayed. */
  transcript(): string;
  /** What reached the user, in order: messages as they are sent, and templates as `{ type: 'template', templateId, parameters }`. */
  readonly sent: readonly Json[];
  /** The calls of drivers, in order. */
  readonly calls: readonly RecordedCall[];
  /** The calls without an answer, oldest first. */
  pending(): readonly RecordedCall[];
  /** A script line that would answer such a call; `undefined` for a call that hangs on purpose. */
  exampleFor(call: RecordedCall): string | undefined;
  /** When something happens by itself: a wait is over, an effect has had its time, a hand-off expires. */
  nextDueMs(): Promise<number | undefined>;
  /** Faults that the engine reported of itself: none, unless it has a bug. */
  readonly faults: readonly { readonly error: unknown; readonly while: string }[];
  /** All executions, oldest first, children too. */
  executions(): Promise<readonly ExecutionRecord[]>;
  /** The youngest execution that is no child. */
  execution(): Promise<ExecutionRecord | undefined>;
  /** The variables of that execution, or of another. */
  variables(executionId?: string): Promise<JsonObject>;
  history(executionId?: string): Promise<readonly HistoryRecord[]>;
  readonly engine: Engine;
  readonly clock: VirtualClock;
}

/** An input that nothing took. */
type Unmatched =
  | { readonly kind: 'message'; readonly userId: string }
  | { readonly kind: 'signal'; readonly name: string; readonly correlation: string };

/** Where the reason for an unmatched input is read. */
interface Executions {
  readonly store: Pick<ExecutionStore, 'load'>;
  /** All executions, oldest first. */
  readonly ids: readonly string[];
}

/** Why an input matched nothing: in words, and as a transcript line, which names what waits and is empty when nothing does. */
export async function whyUnmatched(
  input: Unmatched,
  { store, ids }: Executions,
): Promise<{ readonly reason: string; readonly line: string }> {
  const records = await Promise.all(ids.map(async (id) => store.load(simulatedIds.companyId, id)));
  const waiting = records.flatMap((record) =>
    record?.state.wait === undefined ? [] : [{ wait: record.state.wait, userId: record.state.origin.userId }],
  );
  const reason = input.kind === 'message' ? whyMessage(input.userId, waiting) : whySignal(input, waiting);
  if (reason !== undefined) return { reason, line: unmatchedLine(reason) };
  return { reason: nothingWaits[input.kind], line: unmatchedLine() };
}

const nothingWaits = {
  message: 'nothing waits for a message, and no start has this keyword or is a fallback',
  signal: 'nothing waits for a signal',
} as const;

type WaitingExecution = { readonly wait: OpenWait; readonly userId: string | undefined };

function whyMessage(userId: string, waiting: readonly WaitingExecution[]): string | undefined {
  const other = waiting.find((one) => one.userId !== undefined && one.userId !== userId);
  if (other !== undefined) return `the flow waits for ${other.userId ?? ''}; ${userId} wrote`;
  const first = waiting.find(({ wait }) => wait.kind !== 'child') ?? waiting[0];
  return first === undefined ? undefined : `the flow waits for ${describeWait(first.wait)}, not for a message`;
}

function whySignal(
  { name, correlation }: Extract<Unmatched, { readonly kind: 'signal' }>,
  waiting: readonly WaitingExecution[],
): string | undefined {
  const awaited = waiting.flatMap(({ wait }) => (wait.correlation === undefined ? [] : [wait.correlation]));
  const [first] = awaited;
  if (first === undefined) return undefined;
  return `the flow waits for the signal ${`${first.name} ${first.value}`.trim()}; ${`${name} ${correlation}`.trim()} came`;
}

/** Describes what a wait is for. */
function describeWait({ kind, correlation }: OpenWait): string {
  switch (kind) {
    case 'timer':
    case 'retry':
      return 'time to pass';
    case 'webhook':
    case 'external':
      return 'a webhook call';
    case 'child':
      return 'the workflow it called';
    default:
      return `${kind} ${correlation?.value ?? ''}`.trim();
  }
}
