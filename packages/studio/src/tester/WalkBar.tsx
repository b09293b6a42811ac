// The conversation of a problem, walked step by step: each step is played in the tester, and the canvas shows the way that was taken.
import { FastForward, StepForward } from 'lucide-react';
import { useState } from 'react';
import { type PartWords, usePartWords } from '../words/part.ts';

const en = {
  'walk.step': 'Step {step} of {count}',
  'walk.next': 'Next step',
  'walk.rest': 'To the end',
};
const es: typeof en = {
  'walk.step': 'Paso {step} de {count}',
  'walk.next': 'Paso siguiente',
  'walk.rest': 'Hasta el final',
};
const words: PartWords<keyof typeof en> = { en, es };

interface WalkBarProps {
  /** The lines of its script; the first was played when it was opened. */
  readonly steps: readonly string[];
  readonly isBusy: boolean;
  readonly onPlay: (line: string) => void;
}

export function WalkBar({ steps, isBusy, onPlay }: WalkBarProps) {
  const say = usePartWords(words);
  const [played, setPlayed] = useState(1);
  const play = (until: number): void => {
    for (const line of steps.slice(played, until)) onPlay(line);
    setPlayed(until);
  };
  return (
    <p className="buttons">
      <span role="status">
        {say('walk.step', { step: played, count: steps.length })}: <code dir="auto">{steps[played - 1]}</code>
      </span>
      {played < steps.length && (
        <>
          <button type="button" disabled={isBusy} onClick={() => play(played + 1)}>
            <StepForward size={13} aria-hidden /> {say('walk.next')}
          </button>
          <button type="button" disabled={isBusy} onClick={() => play(steps.length)}>
            <FastForward size={13} aria-hidden /> {say('walk.rest')}
          </button>
        </>
      )}
    </p>
  );
}
