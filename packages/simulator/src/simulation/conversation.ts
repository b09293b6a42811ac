import type { Engine, WebhookAccepted } from '@hilo/engine';
import type { ExecutionRecord, ExecutionStore, HiloError, HistoryRecord, Json, JsonObject, OpenWait } from '@hilo/engine/contract';
import type { ScriptInput, WebhookInput } from '../script/script-input.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { OperatorAct } from './desk.ts';
import type { RecordedCall } from './recording-drivers.ts';
import type { ApiAnswer } from './scripted-api.ts';
import { unmatchedLine } from './transcript.ts';
import { simulatedIds } from './world.ts';

/** A conversation with a canvas. After each verb everything has settled: every execution has ended, waits, or stands at a call without an answer. */
export interface Conversation {
  /** The user writes a text, presses a button (its payload), or sends any other message. */
  says(said: string | { readonly payload: string; readonly text?: string } | JsonObject): Promise<void>;
  /** The user's last message is delivered once more. */
  repeats(): Promise<void>;
  /**
   * A webhook is called.
   *
   * @returns what the caller is answered; `pending` while the call stands behind something that has not ended
   */
  webhook(call?: WebhookInput): Promise<WebhookAccepted | HiloError | 'pending'>;
  /** Time passes: `2h`, `1d12h`, an ISO 8601 duration, or milliseconds. Every timer on the way fires at its time. */
  passes(duration: string | number): Promise<void>;
  /** The endpoint called first, of those without an answer, answers; without one, the next call gets this answer. */
  apiAnswers(answer: ApiAnswer): Promise<void>;
  /**
   * The oldest call of an effect without an answer is answered, or else the next one: of `model.ask`, `function.call`,
   * `database.call`, `soap.call`, `payment.open`, or of an effect of your own.
   *
   * @param answer - the effect's result, such as `{ kind: 'returned', value: 7 }`; what says nothing of interest may be left out
   * @throws {HiloError} `INVALID_SCRIPT` for an answer that is none of this effect
   */
  answers(effect: string, answer: Json): Promise<void>;
  /** Lets the operator act: `says` with a text, `closes`, `expires`; `none`: the next hand-off finds no operator. */
  operator(does: OperatorAct['does'], text?: string): Promise<void>;
  signals(name: string, correlation?: string, payload?: Json): Promise<void>;
  /** Cancels an execution; the youngest that has not ended, when none is named. */
  cancels(executionId?: string): Promise<void>;
  /** The process is killed and another takes its place: nothing is left but the stores. Calls without an answer are made again. */
  restarts(): Promise<void>;
  /** Whatever can happen, as data. @param line - how it stands in the transcript */
  plays(input: ScriptInput, line?: string): Promise<void>;
  /** Adds a line to the transcript. */
  notes(line: string): void;
  /** For those who use the engine themselves: comes back when all has settled. */
  settles(): Promise<void>;

  /** All that happened, as text: a script that can be replayed. */
  transcript(): string;
  /** What reached the user, in order: messages as they are sent, and templates as `{ type: 'template', templateId, parameters }`. */
  readonly sent: readonly Json[];
  /** What the drivers were asked for, in order. */
  readonly calls: readonly RecordedCall[];
  /** The calls without an answer, oldest first. */
  pending(): readonly RecordedCall[];
  /** A line of a script that would answer such a call; `undefined` for a call that was told to hang. */
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

/** What of the world says why. */
interface Around {
  readonly store: Pick<ExecutionStore, 'load'>;
  /** All executions, oldest first. */
  readonly ids: readonly string[];
}

/** Why nothing took it: in words, and as a line of a transcript, which names what waits and is silent where nothing does. */
export async function whyUnmatched(input: Unmatched, { store, ids }: Around): Promise<{ readonly reason: string; readonly line: string }> {
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

type Waiting = { readonly wait: OpenWait; readonly userId: string | undefined };

function whyMessage(userId: string, waiting: readonly Waiting[]): string | undefined {
  const other = waiting.find((one) => one.userId !== undefined && one.userId !== userId);
  if (other !== undefined) return `the flow waits for ${other.userId ?? ''}; ${userId} wrote`;
  const first = waiting.find(({ wait }) => wait.kind !== 'child') ?? waiting[0];
  return first === undefined ? undefined : `the flow waits for ${whatOf(first.wait)}, not for a message`;
}

function whySignal(
  { name, correlation }: Extract<Unmatched, { readonly kind: 'signal' }>,
  waiting: readonly Waiting[],
): string | undefined {
  const awaited = waiting.flatMap(({ wait }) => (wait.correlation === undefined ? [] : [wait.correlation]));
  const [first] = awaited;
  if (first === undefined) return undefined;
  return `the flow waits for the signal ${`${first.name} ${first.value}`.trim()}; ${`${name} ${correlation}`.trim()} came`;
}

/** What a wait is for, in words. */
function whatOf({ kind, correlation }: OpenWait): string {
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
