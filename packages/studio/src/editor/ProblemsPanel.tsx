// The list of problems of a canvas.
import type { Fix, Problem } from '@hilo/engine/contract';
import { CircleAlert, TriangleAlert, Wrench } from 'lucide-react';
import { useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { useStudio } from '../studio-context.ts';
import { useFixText, useProblemText } from '../words/problem-words.ts';
import { usePortWord, useWords } from '../words/words.tsx';
import type { ShownWay } from './editor-store.ts';

interface ProblemsPanelProps {
  readonly canvas: CanvasJson;
  readonly problems: readonly Problem[];
  readonly shown: ShownWay | undefined;
  readonly onOpen: (problem: Problem) => void;
  readonly onShow: (shown: ShownWay | undefined) => void;
  readonly onFix: (fix: Fix) => void;
  /** Shows a problem as a conversation. @returns whether one was found */
  readonly onTalk: (problem: Problem) => Promise<boolean>;
}

/** A node near the entry that is deleted leaves a thousand others without a way to them: to list them all takes a browser seconds. */
const maxShown = 50;

/** Everything that is wrong, errors first. The same code and variable are one entry with its places. */
export function ProblemsPanel({ canvas, problems, shown, onOpen, onShow, onFix, onTalk }: ProblemsPanelProps) {
  const say = useWords();
  const portWord = usePortWord();
  const nameOf = useNodeName(canvas);
  const textOf = useProblemText();
  const fixText = useFixText();
  const { can } = useStudio();
  const [shownCount, setShownCount] = useState(maxShown);
  if (problems.length === 0) return <p className="quiet-text">{say('problems.none')}</p>;
  const groups = [
    ...Map.groupBy(problems, (problem) => `${problem.severity}\0${problem.code}\0${problem.subject ?? problem.message}`).values(),
  ];
  return (
    <ul className="problems">
      {groups.slice(0, shownCount).map((group) => {
        const [first] = group;
        if (first === undefined) return null;
        const { severity, code } = first;
        const { message, hint } = textOf(first);
        const { way = [], fixes = [] } = first;
        const isShown = shown?.problem.code === code && shown.problem.pointer === first.pointer && shown.problem.subject === first.subject;
        const at = isShown ? shown.way[shown.step] : undefined;
        return (
          <li key={`${code}${first.pointer}${first.message}`} className={severity}>
            <p>
              {severity === 'error' ? <CircleAlert size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}{' '}
              <span className="visually-hidden">{say(severity === 'error' ? 'problems.error' : 'problems.warning')}: </span>
              <span dir="auto">{message}</span>
            </p>
            <p className="help">{hint}</p>
            <p className="places">
              {group.length > 1 && <span>{say('problems.places', { count: group.length })}: </span>}
              {group.map((problem, index) => (
                <button key={index} type="button" className="link" onClick={() => onOpen(problem)}>
                  {problem.nodeId === undefined ? problem.pointer || '/' : nameOf(problem.nodeId)}
                </button>
              ))}
            </p>
            <p className="acts">
              {way.length > 0 && !isShown && (
                <button type="button" onClick={() => onShow({ problem: first, way, step: 0 })}>
                  {say('problems.showMe')}
                </button>
              )}
              {way.length > 0 && first.follows === undefined && !isShown && <TalkButton onTalk={() => onTalk(first)} />}
              {isShown && at !== undefined && (
                <>
                  <span role="status">
                    {say('problems.way', {
                      step: shown.step + 1,
                      count: shown.way.length,
                      node: nameOf(at.nodeId),
                      port: at.port === undefined ? '…' : portWord(at.port, canvas.nodes.find(({ id }) => id === at.nodeId)?.type),
                    })}
                  </span>
                  {shown.step + 1 < shown.way.length && (
                    <button type="button" onClick={() => onShow({ ...shown, step: shown.step + 1 })}>
                      {say('problems.next')}
                    </button>
                  )}
                  <button type="button" onClick={() => onShow(undefined)}>
                    {say('problems.stop')}
                  </button>
                </>
              )}
              {can('edit') &&
                fixes.map((fix) => (
                  <button key={fix.label} type="button" onClick={() => onFix(fix)}>
                    <Wrench size={13} aria-hidden /> {say('problems.fix', { what: fixText(fix.label) })}
                  </button>
                ))}
            </p>
          </li>
        );
      })}
      {groups.length > shownCount && (
        <li>
          <button type="button" onClick={() => setShownCount(shownCount + maxShown)}>
            {say('problems.more', { count: groups.length - shownCount })}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Looks for the conversation of a problem, and says where none was found: the problem stays one all the same. */
function TalkButton({ onTalk }: { readonly onTalk: () => Promise<boolean> }) {
  const say = useWords();
  const [state, setState] = useState<'ready' | 'searching' | 'none'>('ready');
  const search = async (): Promise<void> => {
    setState('searching');
    setState((await onTalk()) ? 'ready' : 'none');
  };
  if (state === 'none') return <span role="status">{say('problems.noTalk')}</span>;
  return (
    <button type="button" disabled={state === 'searching'} onClick={() => void search()}>
      {say(state === 'searching' ? 'problems.searching' : 'problems.talk')}
    </button>
  );
}
