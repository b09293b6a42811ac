import type { ExecutionStore, OpenWait } from '@hilo/engine/contract';
import { unmatchedLine } from './transcript.ts';
import { simulatedIds } from './world.ts';

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
  const records = await Promise.all(ids.map((id) => store.load(simulatedIds.companyId, id)));
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
