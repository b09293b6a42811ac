// The steps of an execution over time.
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { HistoryEntry } from '../api/client.ts';
import { reducesMotion } from '../board/use-glide.ts';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import { timeline } from './time-travel.ts';
import { nextStop, stopBefore } from './turns.ts';

interface TimelineProps {
  readonly entries: readonly HistoryEntry[];
  /** Where it stops: at each step, and once a turn. */
  readonly stops: readonly number[];
  /** How many steps have happened by now. */
  readonly at: number;
  readonly onStep: (step: number) => void;
}

/** One tick a step, and one for a whole turn of an agent, with long gaps compressed: to be dragged along, stepped through, or played. */
export function Timeline({ entries, stops, at, onStep }: TimelineProps) {
  const say = useWords();
  const [isPlaying, setPlaying] = useState(false);
  const ticks = useMemo(() => timeline(stops.flatMap((stop) => entries[stop - 1] ?? [])), [entries, stops]);
  const width = Math.max(1, ticks.at(-1)?.at ?? 1);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => (at < entries.length ? onStep(nextStop(stops, at)) : setPlaying(false)), reducesMotion() ? 1_500 : 700);
    return () => clearTimeout(timer);
  }, [isPlaying, at, stops.length]);
  const passed = stops.filter((stop) => stop <= at).length;
  const label = say('execution.stepOf', { step: at, count: entries.length });
  return (
    <div className="timeline" role="group" aria-label={say('execution.timeline')}>
      <IconButton label={say('execution.before')} disabled={at === 0} onClick={() => onStep(stopBefore(stops, at))}>
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
      <IconButton label={say('execution.after')} disabled={at >= entries.length} onClick={() => onStep(nextStop(stops, at))}>
        <SkipForward size={15} aria-hidden />
      </IconButton>
      <div className="ticks">
        <input
          type="range"
          min={0}
          max={stops.length}
          value={passed}
          aria-label={say('execution.timeline')}
          aria-valuetext={label}
          onChange={({ target }) => onStep(stops[target.valueAsNumber - 1] ?? 0)}
        />
        <div aria-hidden>
          {ticks.map(({ at: place, gap }, index) => (
            <span key={index} className={index < passed ? 'done' : ''} style={{ insetInlineStart: `${(place / width) * 100}%` }}>
              {gap !== undefined && <i>{gap}</i>}
            </span>
          ))}
        </div>
      </div>
      <span className="caption">{label}</span>
    </div>
  );
}
