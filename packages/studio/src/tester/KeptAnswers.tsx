// The calls of a test that are answered by themselves.
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { useWords } from '../words/words.tsx';
import type { Answers } from './use-answers.ts';

/** Each node whose calls are always answered so, with its answer; nothing where there is none. */
export function KeptAnswers({ answers: { last, always, askAgain }, canvas }: { readonly answers: Answers; readonly canvas: CanvasJson }) {
  const nameOf = useNodeName(canvas);
  const say = useWords();
  if (always.size === 0) return null;
  return (
    <section className="kept-answers" aria-label={say('tester.kept')}>
      <h3>{say('tester.kept')}</h3>
      <ul>
        {[...always].map((nodeId) => (
          <li key={nodeId}>
            <b dir="auto">{nameOf(nodeId)}</b> <code dir="auto">{last.get(nodeId)}</code>
            <button
              type="button"
              className="quiet"
              aria-label={say('tester.askAgainAt', { node: nameOf(nodeId) })}
              onClick={() => askAgain(nodeId)}
            >
              {say('tester.askAgain')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
