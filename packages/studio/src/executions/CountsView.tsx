// Executions of a list, counted over the canvas.
import { useMemo, useState } from 'react';
import type { HiloClient, Execution } from '../api/client.ts';
import type { Overlay } from '../board/overlay.ts';
import { CanvasView } from '../components/CanvasView.tsx';
import { Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import { countsOf, type ReadExecution, type Version, versionsOf } from './counts.ts';

/** Histories that are read at once. */
const readAtOnce = 4;

/**
 * The executions of a list over the canvas of one version at a time, the newest first: how often each node was visited, each port left,
 * and how many wait where.
 */
export function CountsView({ workflowId, rows }: { readonly workflowId: string; readonly rows: readonly Execution[] }) {
  const { client, companyId } = useStudio();
  const say = useWords();
  const versions = versionsOf(rows);
  const [chosen, choose] = useState<Version>();
  const version = versions.find((one) => one === chosen) ?? versions[0] ?? 'draft';
  const counted = rows.filter((row) => row.version === version);
  const key = counted.map(({ executionId, updatedAt }) => `${executionId} ${updatedAt}`).join('\n');
  const { value, error, reload } = useLoaded(`counts/${workflowId}/${version}/${key}`, async () => {
    const canvas =
      version === 'draft' ? (await client.draft(companyId, workflowId)).canvas : await client.version(companyId, workflowId, version);
    return { canvas, counts: countsOf(await readHistories(client, companyId, counted)) };
  });
  const overlay = useMemo((): Overlay | undefined => value && { taken: value.counts.left, visits: value.counts.nodes }, [value]);
  const nameOf = (one: Version): string => (one === 'draft' ? say('versions.draft') : `v${one}`);
  return (
    <section className="counts" aria-label={say('executions.counts')}>
      <p className="caption">
        {versions.length > 1 && (
          <select
            aria-label={say('executions.version')}
            value={version}
            onChange={({ target }) => choose(versions.find((one) => String(one) === target.value))}
          >
            {versions.map((one) => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        )}
        {say('executions.counted', { count: counted.length, version: nameOf(version) })}
      </p>
      {value === undefined || overlay === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : (
        <CanvasView key={version} canvas={value.canvas} overlay={overlay} />
      )}
    </section>
  );
}

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
