// The calls of a test that are answered by themselves.
import { useWords } from '../words/words.tsx';
import type { Answers } from './use-answers.ts';

/** Each node whose calls are always answered so, with its answer; nothing where there is none. */
export function KeptAnswers({ answers: { last, always, askAgain } }: { readonly answers: Answers }) {
  const say = useWords();
  if (always.size === 0) return null;
  return (
    <section className="kept-answers" aria-label={say('tester.kept')}>
      <h3>{say('tester.kept')}</h3>
      <ul>
        {[...always].map((nodeId) => (
          <li key={nodeId}>
            <b>{nodeId}</b> <code dir="auto">{last.get(nodeId)}</code>
            <button
              type="button"
              className="quiet"
              aria-label={say('tester.askAgainAt', { node: nodeId })}
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
