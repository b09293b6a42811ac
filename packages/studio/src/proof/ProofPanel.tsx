// What the kept tests cover, over the canvas: which test takes a port, and which ports none takes.
import { useEffect, useMemo } from 'react';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { usePortName } from '../canvas/node-name.ts';
import { Refused } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { calledBy } from '../tester/called-canvases.ts';
import { firstSetting, settingOf } from '../tester/test-memory.ts';
import { PortButton } from '../tester/TestsList.tsx';
import { useKeptTests } from '../tester/use-kept-tests.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import { usePartWords } from '../words/part.ts';
import { AgentsProof } from './AgentsProof.tsx';
import { coverageOf } from './coverage.ts';
import { proofWords } from './proof-words.ts';

interface ProofPanelProps {
  readonly engine: EngineClient;
  readonly canvas: CanvasJson;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  /** Plays a conversation that takes a port. @returns whether there is one */
  readonly onPort: (port: string) => Promise<boolean>;
  /** Opens a conversation in the tester, to be played step by step. */
  readonly onScript: (script: string) => void;
}

export function ProofPanel({ engine, canvas, onOverlay, onPort, onScript }: ProofPanelProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(proofWords);
  const portName = usePortName(canvas);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const setting = useMemo(() => (references === undefined ? firstSetting : settingOf(references)), [references]);
  const { tests, results, failure } = useKeptTests(engine, canvas, {
    setting,
    canvases: async () => [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))],
  });
  const coverage = useMemo(() => (results === undefined ? undefined : coverageOf(results)), [results]);
  useEffect(() => {
    if (coverage === undefined) return onOverlay(undefined);
    const { never } = coverage;
    const strip = say('proof.count', { tested: coverage.tested.size, count: coverage.tested.size + never.length });
    return onOverlay({ tested: coverage.tested, neverTaken: new Set(never), strip });
  }, [coverage, say]);
  const tested = coverage?.tested.size ?? 0;
  return (
    <section className="tests">
      <h2>{say('proof.title')}</h2>
      <Refused reason={failure} />
      {tests.length === 0 && <p className="quiet-text">{say('proof.none')}</p>}
      {tests.length > 0 && coverage === undefined && <p role="status">{say('proof.busy')}</p>}
      {coverage !== undefined && (
        <>
          <p role="status">{say('proof.count', { tested, count: tested + coverage.never.length })}</p>
          {coverage.never.length > 0 && (
            <>
              <h3>{say('proof.never')}</h3>
              <p className="help">{say('proof.neverAbout')}</p>
              <ul>
                {coverage.never.map((port) => (
                  <li key={port}>
                    <PortButton port={port} name={portName(port)} onPort={onPort} />
                  </li>
                ))}
              </ul>
            </>
          )}
          <h3>{say('proof.tests')}</h3>
          <ul>
            {results?.results.map(({ name, isPassed }) => (
              <li key={name} dir="auto">
                {name} <span className="caption">{say('proof.alone', { count: coverage.alone.get(name) ?? 0 })}</span>{' '}
                {!isPassed && <span className="bad">{say('proof.differs')}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      <AgentsProof engine={engine} canvas={canvas} onScript={onScript} />
    </section>
  );
}
