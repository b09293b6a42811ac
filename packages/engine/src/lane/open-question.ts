// Which open question a user's message answers: by the message that it names, and by when it was written.
import type { AcceptedMessage } from '../contract/event.ts';
import type { ExecutionRecord, InboxItem } from '../contract/store.ts';
import { relate } from '../machine/questions.ts';
import { type LaneReads, read } from './step.ts';

/** The open questions of a user, as far as a message concerns them. */
interface OpenQuestions {
  /** The one that the message answers; none, where it answers none. */
  readonly answered: ExecutionRecord | undefined;
  /** The one that was asked last, of those that the message can concern at all: an interrupting start ends it. */
  readonly newest: ExecutionRecord | undefined;
  /** Whether any is open. */
  readonly areThere: boolean;
}

/**
 * Providers deliver within seconds, and repeat for seven days what they could not deliver. A message that came within this time was
 * written when it came: the clocks of the provider and of this machine may differ by that much.
 */
const promptMs = 10_000;

/** Many providers tell whole seconds: an answer within the second of its question seems to be before it. */
const resolutionMs = 1_000;

/** Whether a message was on its way for so long that when it was written counts. */
const isLate = ({ writtenAtMs, acceptedAtMs }: { readonly writtenAtMs?: number | undefined; readonly acceptedAtMs: number }): boolean =>
  writtenAtMs !== undefined && acceptedAtMs - writtenAtMs > promptMs;

/** Finds the open questions of the user of a message, and the one that it answers. */
export function findOpenQuestions(
  reads: LaneReads,
  { acceptedAtMs }: Pick<InboxItem, 'acceptedAtMs'>,
  { botId, userId, message, writtenAtMs, repliesTo, isOpening, keptBy }: AcceptedMessage,
): OpenQuestions {
  const name = message['replyTo'];
  const isOld = isLate({ writtenAtMs, acceptedAtMs }) && keptBy === undefined;
  if (typeof name !== 'string' && !isOld) {
    const [newest] = read(reads, { kind: 'questions', botId, userId, isAll: false });
    return { answered: isOpening === true ? undefined : newest, newest, areThere: newest !== undefined };
  }
  const open = read(reads, { kind: 'questions', botId, userId, isAll: true });
  const askedBefore = isOld ? open.filter(({ state: { wait } }) => (wait?.openedAtMs ?? 0) <= (writtenAtMs ?? 0) + resolutionMs) : open;
  const [newest] = askedBefore;
  const areThere = open.length > 0;
  if (isOpening === true) return { answered: undefined, newest, areThere };
  return { answered: typeof name === 'string' ? findNamed(askedBefore, name, repliesTo) : newest, newest, areThere };
}

/** The execution whose question a message names; of a name that nobody knows, the newest. */
function findNamed(open: readonly ExecutionRecord[], name: string, repliesTo: readonly string[] | undefined): ExecutionRecord | undefined {
  const relations = open.map(({ state }) => relate(state, name, repliesTo ?? []));
  const asked = open[relations.indexOf('asked')];
  if (asked !== undefined || repliesTo !== undefined || relations.includes('answered')) return asked;
  return open[0];
}
