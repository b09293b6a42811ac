// One published version in the list: what it is, who stands on it, and what can be done with it.
import { changeWords } from '../change/change-words.ts';
import { useActorName } from '../parts/shown-name.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { useWords } from '../words/words.tsx';
import type { VersionActs } from './use-version-acts.ts';

interface VersionItemProps {
  readonly version: number;
  readonly publishedAt: string;
  readonly publishedBy?: string | null | undefined;
  readonly note?: string | null | undefined;
  /** Executions that are of this version. */
  readonly standing: number;
  readonly isNewest: boolean;
  /** Whether executions of other versions can be brought to this one. */
  readonly isWanted: boolean;
  readonly acts: VersionActs;
}

/** A version with its buttons, each for those who may do it. */
export function VersionItem({ version, publishedAt, publishedBy, note, standing, isNewest, isWanted, acts }: VersionItemProps) {
  const { can } = useStudio();
  const say = useWords();
  const actorName = useActorName();
  const change = usePartWords(changeWords);
  const instant = useMoment();
  const buttons = [
    { word: say('versions.copy'), act: acts.copy, isThere: true },
    { word: say('executions.title'), act: acts.listExecutions, isThere: true },
    { word: change('gate.publishAgain'), act: acts.publishAgain, isThere: can('publish') && !isNewest },
    { word: change('gate.bring'), act: acts.bring, isThere: can('operate') && isWanted },
    { word: say('versions.restore'), act: acts.restore, isThere: can('edit') },
  ];
  return (
    <li>
      <b>v{version}</b>{' '}
      <span className="caption">
        {instant(publishedAt)}
        {(publishedBy ?? '') === '' ? '' : `, ${actorName(publishedBy ?? '')}`}
      </span>
      {(note ?? '') !== '' && <p dir="auto">{note}</p>}
      {standing > 0 && <p className="caption">{say('versions.stand', { count: standing })}</p>}
      <p className="buttons">
        {buttons.map(
          ({ word, act, isThere }) =>
            isThere && (
              <button key={word} type="button" className="quiet" aria-label={`${word}: v${version}`} onClick={() => act(version)}>
                {word}
              </button>
            ),
        )}
      </p>
    </li>
  );
}
