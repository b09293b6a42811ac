// Which messages an open wait has asked with, so that a reply that names one of them answers this wait and no other.
import type { ExecutionState, OpenVisit, Settled } from '../contract/execution.ts';
import { getPath } from '../variables/path.ts';

/** So many messages and answers of an execution are remembered: earlier ones are far up in the conversation. */
const maxRemembered = 20;

/** The id of the message that an effect has sent: every effect that sends one answers with its `messageId`. */
function readSent(settled: Settled): string | undefined {
  const id = settled.kind === 'result' ? getPath(settled.value, ['messageId']) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Remembers the message that an effect has sent. */
export function rememberSent(state: { said?: ExecutionState['said'] }, settled: Settled): void {
  const id = readSent(settled);
  if (id !== undefined) state.said = [...(state.said ?? []).slice(1 - maxRemembered), id];
}

/** Remembers which message an answer named, and that what was said before it has been answered. */
export function rememberAnswer(
  state: { said?: ExecutionState['said']; answered?: ExecutionState['answered'] },
  name: unknown,
  visit: Pick<OpenVisit, 'nodeId' | 'number'> | undefined,
): void {
  if (state.said !== undefined) state.said = undefined; // deleting the name would make the state a table, which is slow to read and large
  if (typeof name !== 'string' || visit === undefined) return;
  state.answered = [...(state.answered ?? []).slice(1 - maxRemembered), { name, visit: formatVisit(visit) }];
}

const formatVisit = ({ nodeId, number }: Pick<OpenVisit, 'nodeId' | 'number'>): string => `${nodeId}#${number}`;

/** A visit, where its node has another name. */
export function renameVisit(visit: string, nameOf: (id: string) => string): string {
  const end = visit.lastIndexOf('#');
  return `${nameOf(visit.slice(0, end))}${visit.slice(end)}`;
}

/** How the message that a reply names relates to the open wait of an execution. */
type Relation = 'asked' | 'answered' | 'unknown';

/**
 * Whether a reply to a message answers the open wait of an execution: `asked`, its visit has sent this message, or the execution has since
 * the last answer; `answered`, another wait of it was answered by a reply to this message; `unknown`, it does not know the message.
 *
 * @param name - the channel's name of the message
 * @param ids - the ids that this may be
 */
export function relate({ visit, said = [], answered = [] }: ExecutionState, name: string, ids: readonly string[]): Relation {
  const asked = new Set([...said, ...(visit?.results ?? []).flatMap((settled) => readSent(settled) ?? [])]);
  if ([name, ...ids].some((id) => asked.has(id))) return 'asked';
  const open = visit === undefined ? '' : formatVisit(visit);
  const known = answered.filter((one) => one.name === name);
  if (known.some((one) => one.visit === open)) return 'asked';
  return known.length > 0 ? 'answered' : 'unknown';
}
