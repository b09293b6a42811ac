// The steps of an execution over time.
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { HistoryEntry } from '../api/client.ts';
import { reducesMotion } from '../board/use-glide.ts';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import { timeline } from './time-travel.ts';

interface TimelineProps {
  readonly entries: readonly HistoryEntry[];
  /** How many steps have happened by now. */
  readonly at: number;
  readonly onStep: (step: number) => void;
}

/** One tick a step, with long gaps compressed: to be dragged along, stepped through, or played. */
export function Timeline({ entries, at, onStep }: TimelineProps) {
  const say = useWords();
  const [isPlaying, setPlaying] = useState(false);
  const ticks = useMemo(() => timeline(entries), [entries]);
  const width = Math.max(1, ticks.at(-1)?.at ?? 1);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => (at < entries.length ? onStep(at + 1) : setPlaying(false)), reducesMotion() ? 1_500 : 700);
    return () => clearTimeout(timer);
  }, [isPlaying, at, entries.length]);
  const label = say('execution.stepOf', { step: at, count: entries.length });
  return (
    <div className="timeline" role="group" aria-label={say('execution.timeline')}>
      <IconButton label={say('execution.before')} disabled={at === 0} onClick={() => onStep(at - 1)}>
        <SkipBack size={15} aria-hidden />
      </IconButton>
      <IconButton
        label={say(isPlaying ? 'execution.pause' : 'execution.play')}
        onClick={() => {
          if (at >= entries.length) onStep(0);
          setPlaying(!isPlaying);
        }}
      >
        {isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
      </IconButton>
      <IconButton label={say('execution.after')} disabled={at >= entries.length} onClick={() => onStep(at + 1)}>
        <SkipForward size={15} aria-hidden />
      </IconButton>
      <div className="ticks">
        <input
          type="range"
          min={0}
          max={entries.length}
          value={at}
          aria-label={say('execution.timeline')}
          aria-valuetext={label}
          onChange={({ target }) => onStep(target.valueAsNumber)}
        />
        <div aria-hidden>
          {ticks.map(({ at: place, gap }, index) => (
            <span key={index} className={index < at ? 'done' : ''} style={{ insetInlineStart: `${(place / width) * 100}%` }}>
              {gap !== undefined && <i>{gap}</i>}
            </span>
          ))}
        </div>
      </div>
      <span className="caption">{label}</span>
    </div>
  );
}
