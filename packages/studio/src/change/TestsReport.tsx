// How the kept tests of a workflow go with what is about to be published.
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { calledBy } from '../tester/called-canvases.ts';
import { firstSetting } from '../tester/TesterPanel.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import { usePartWords } from '../words/part.ts';
import { changeWords } from './change-words.ts';

/** Runs the kept tests once, and tells which go otherwise and how many ports none takes. */
export function TestsReport({ canvas, engine }: { readonly canvas: CanvasJson; readonly engine: EngineClient }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { value, error } = useLoaded(`tests/${canvas.id}`, async () => {
    const kept = await client.transcripts(companyId, canvas.id);
    if (kept.length === 0) return { kept, ran: undefined };
    const canvases = [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))];
    return { kept, ran: await engine.runTranscripts(canvases, kept, firstSetting) };
  });
  const differing = value?.ran?.results.filter(({ isPassed }) => !isPassed) ?? [];
  const passed = (value?.ran?.results.length ?? 0) - differing.length;
  return (
    <section className="change-part">
      <h3>{say('tests.title')}</h3>
      {value === undefined && <p role="status">{error ?? say('tests.busy')}</p>}
      {value?.kept.length === 0 && <p className="quiet-text">{say('tests.none')}</p>}
      {passed > 0 && <p className="good">{say('tests.pass', { count: passed })}</p>}
      {differing.length > 0 && (
        <p className="bad" dir="auto">
          {say('tests.differ', { count: differing.length, names: differing.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {value?.ran !== undefined && value.ran.neverTaken.length > 0 && (
        <p className="caption">{say('tests.ports', { count: value.ran.neverTaken.length })}</p>
      )}
    </section>
  );
}
