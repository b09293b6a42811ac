import { useState } from 'react';
import { useStudio } from '../studio-context.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { usePortName } from '../canvas/node-name.ts';
import { useWords } from '../words/words.tsx';
import type { KeptTests } from './use-kept-tests.ts';

/** The conversations that are kept with the workflow, and how they went with the draft of now. */
export function TestsList({
  kept: { tests, results, run, keep, drop },
  canvas,
  onPort,
}: {
  readonly kept: KeptTests;
  readonly canvas: CanvasJson;
  /** Plays a conversation that takes a port. @returns whether there is one */
  readonly onPort: (port: string) => Promise<boolean>;
}) {
  const say = useWords();
  const { can } = useStudio();
  const portName = usePortName(canvas);
  return (
    <section className="tests" aria-label={say('tester.tests')}>
      <h3>{say('tester.tests')}</h3>
      {tests.length === 0 && <p className="quiet-text">{say('tester.noTests')}</p>}
      <ul>
        {tests.map(({ name }) => {
          const result = results?.results.find((one) => one.name === name);
          return (
            <li key={name} className={result === undefined ? '' : result.isPassed ? 'good' : 'bad'}>
              {result === undefined
                ? name
                : result.isPassed
                  ? `✓ ${say('tester.passed', { name })}`
                  : `✗ ${say('tester.differs', { name })}`}
              {result?.isPassed === false && (
                <>
                  <LineDiff before={result.expected} after={result.actual} />
                  {can('edit') && (
                    <button type="button" onClick={() => void keep(name, result.actual)}>
                      {say('tester.accept')}
                    </button>
                  )}
                </>
              )}
              {can('edit') && (
                <button type="button" className="quiet" aria-label={`${say('tester.delete')}: ${name}`} onClick={() => void drop(name)}>
                  {say('tester.delete')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {tests.length > 0 && (
        <button type="button" onClick={() => void run()}>
          {say('tester.run')}
        </button>
      )}
      {results !== undefined && results.neverTaken.length > 0 && (
        <details>
          <summary>{say('tester.never', { count: results.neverTaken.length })}</summary>
          <ul>
            {results.neverTaken.map((port) => (
              <li key={port}>
                <PortButton port={port} name={portName(port)} onPort={onPort} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** A port that no test takes: looks for a conversation that does. */
export function PortButton({
  port,
  name,
  onPort,
}: {
  readonly port: string;
  /** What people call it. */
  readonly name: string;
  readonly onPort: (port: string) => Promise<boolean>;
}) {
  const say = useWords();
  const [state, setState] = useState<'busy' | 'none'>();
  const find = (): void => {
    setState('busy');
    onPort(port).then(
      (isFound) => setState(isFound ? undefined : 'none'),
      () => setState('none'),
    );
  };
  return (
    <>
      <button type="button" className="link" disabled={state === 'busy'} dir="auto" onClick={find}>
        {name}
      </button>{' '}
      <span className="caption" role="status">
        {state === 'busy' ? say('tester.looking') : state === 'none' ? say('tester.notFound') : ''}
      </span>
    </>
  );
}

/** Lines of two texts from the first that differs on. */
function LineDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const [old, now] = [before, after].map((text) => text.trimEnd().split('\n'));
  const first = (old ?? []).findIndex((line, index) => line !== now?.[index]);
  const from = Math.max(0, first < 0 ? (old?.length ?? 0) : first);
  return (
    <pre className="line-diff" tabIndex={0} dir="auto">
      {(old ?? []).slice(from, from + 8).map((line, index) => (
        <del key={index}>
          - {line}
          {'\n'}
        </del>
      ))}
      {(now ?? []).slice(from, from + 8).map((line, index) => (
        <ins key={index}>
          + {line}
          {'\n'}
        </ins>
      ))}
    </pre>
  );
}
