// Where the conversation of a test stands, and how its time is moved.
import { Clock, FastForward, RotateCcw } from 'lucide-react';
import type { TestView } from '../worker/protocol.ts';
import { shortTime, useInstant, useNames, useWords } from '../words/words.tsx';

/** What a test waits for and until when, or how it ended; and what time it is there. */
export function TestStatus({ view }: { readonly view: TestView | undefined }) {
  const say = useWords();
  const instant = useInstant();
  const [statusWord, waitWord, causeWord] = [useNames('status'), useNames('wait'), useNames('cause')];
  const stand = (): string => {
    if (view?.status === undefined) return say('tester.idle');
    if (view.status === 'running' && view.calls.length > 0) return say('tester.calling');
    if (view.wait === undefined) {
      const cause = view.failure === undefined ? '' : `: ${causeWord(view.failure.cause)}`;
      return say('tester.ended', { status: `${statusWord(view.status)}${cause}` });
    }
    const { kind, dueAtMs } = view.wait;
    const until = dueAtMs === null ? '' : `, ${say('tester.until', { time: shortTime(dueAtMs - view.nowMs) })}`;
    return `${say('tester.waits', { what: waitWord(kind) })}${until}`;
  };
  return (
    <p className="stands" role="status">
      <Clock size={14} aria-hidden /> {stand()}
      {view !== undefined && <span className="caption now">{instant(view.nowMs)}</span>}
    </p>
  );
}

/** Buttons that let time pass, and the one that begins anew. */
export function TimeButtons({
  view,
  onPlay,
  onRestart,
}: {
  readonly view: TestView | undefined;
  readonly onPlay: (line: string) => void;
  readonly onRestart: () => void;
}) {
  const say = useWords();
  const nextDueMs = view?.nextDueMs;
  return (
    <p className="buttons">
      {(['10m', '1h', '1d'] as const).map((time) => (
        <button key={time} type="button" onClick={() => onPlay(`time: +${time}`)}>
          <FastForward size={13} aria-hidden /> {say('tester.skip', { time })}
        </button>
      ))}
      {view !== undefined && nextDueMs !== undefined && (
        <button type="button" onClick={() => onPlay(`time: +${Math.max(1, nextDueMs - view.nowMs)}ms`)}>
          {say('tester.skipNext')}
        </button>
      )}
      <button type="button" onClick={onRestart}>
        <RotateCcw size={13} aria-hidden /> {say('tester.restart')}
      </button>
    </p>
  );
}
