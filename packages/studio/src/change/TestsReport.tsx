// How the kept tests of a workflow go with what is about to be published.
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { calledBy } from '../tester/called-canvases.ts';
import { settingOf } from '../tester/test-memory.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import { usePartWords } from '../words/part.ts';
import { usePortWord } from '../words/words.tsx';
import { changeWords } from './change-words.ts';
import { seenUntested } from './seen-untested.ts';

/** So many ports are named: those that users take most. */
const mostSeen = 3;
const days = 7;

/** How often something happened in a week: by the day, where it does so every day. */
const often = (count: number, say: (key: 'tests.perDay' | 'tests.perWeek', values: { readonly count: number }) => string) => ({
  often: count >= days ? say('tests.perDay', { count: Math.round(count / days) }) : say('tests.perWeek', { count }),
});

/**
 * Runs the kept tests once, and tells which go otherwise, how many ports none takes, and which of these users do take: a change there is
 * found by them.
 */
export function TestsReport({ canvas, engine }: { readonly canvas: CanvasJson; readonly engine: EngineClient }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const portWord = usePortWord();
  const nameOf = useNodeName(canvas);
  const { value, error } = useLoaded(`tests/${canvas.id}`, async () => {
    const kept = await client.transcripts(companyId, canvas.id);
    if (kept.length === 0) return { kept, ran: undefined };
    const canvases = [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))];
    const setting = settingOf(await client.references(companyId));
    return { kept, ran: await engine.runTranscripts(canvases, kept, setting) };
  });
  const never = value?.ran?.neverTaken;
  const { value: seen } = useLoaded(`seen/${canvas.id}/${never?.length}`, async () => {
    if (never === undefined) return [];
    const { getNumbers } = await client.operations();
    const { nodes } = await getNumbers({ path: { workflowId: canvas.id }, query: { companyId, by: 'port' } });
    return seenUntested(nodes, never);
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
      {seen !== undefined && seen.length > 0 && (
        <ul>
          {seen.slice(0, mostSeen).map(({ nodeId, port, count }) => (
            <li key={`${nodeId}.${port}`} className="warn" dir="auto">
              {say('tests.seen', {
                port: portWord(port, canvas.nodes.find(({ id }) => id === nodeId)?.type),
                node: nameOf(nodeId),
                ...often(count, say),
              })}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
