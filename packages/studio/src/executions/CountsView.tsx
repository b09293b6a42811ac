import { useMemo } from 'react';
import type { HiloClient, Execution } from '../api/client.ts';
import type { Overlay } from '../board/overlay.ts';
import { CanvasView } from '../components/CanvasView.tsx';
import { Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import { countsOf, type ReadExecution } from './counts.ts';

/** Histories that are read at once. */
const readAtOnce = 4;

/** The executions of a list over the canvas of their newest version: how often each node was visited, each port left, and who waits where. */
export function CountsView({ workflowId, rows }: { readonly workflowId: string; readonly rows: readonly Execution[] }) {
  const { client, companyId } = useStudio();
  const say = useWords();
  const version = newestVersion(rows);
  const counted = rows.filter((row) => row.version === version);
  const key = counted.map(({ executionId, updatedAt }) => `${executionId} ${updatedAt}`).join('\n');
  const { value, error, reload } = useLoaded(`counts/${workflowId}/${version}/${key}`, async () => {
    const canvas =
      version === 'draft' ? (await client.draft(companyId, workflowId)).canvas : await client.version(companyId, workflowId, version);
    return { canvas, counts: countsOf(await readHistories(client, companyId, counted)) };
  });
  const overlay = useMemo((): Overlay | undefined => value && { taken: value.counts.left, visits: value.counts.nodes }, [value]);
  const name = version === 'draft' ? say('versions.draft') : `v${version}`;
  const others = rows.length - counted.length;
  return (
    <section className="counts" aria-label={say('executions.counts')}>
      <p className="caption">
        {say('executions.counted', { count: counted.length, version: name })}
        {others > 0 && ` ${say('executions.notCounted', { count: others })}`}
      </p>
      {value === undefined || overlay === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : (
        <CanvasView canvas={value.canvas} overlay={overlay} />
      )}
    </section>
  );
}

const newestVersion = (rows: readonly Execution[]): number | 'draft' =>
  rows.reduce<number | 'draft'>(
    (newest, { version }) => (version !== 'draft' && (newest === 'draft' || version > newest) ? version : newest),
    'draft',
  );

async function readHistories(client: HiloClient, companyId: string, executions: readonly Execution[]): Promise<readonly ReadExecution[]> {
  const read: ReadExecution[] = [];
  const open = [...executions];
  const readOn = async (): Promise<void> => {
    for (let next = open.pop(); next !== undefined; next = open.pop())
      read.push({ execution: next, entries: await client.history(companyId, next.executionId) });
  };
  await Promise.all(Array.from({ length: readAtOnce }, readOn));
  return read;
}
