import { CanvasDiff, type CanvasJson, CanvasView, ExecutionView, type StudioProps, Tester } from '@hilo/studio';
import { type ReactNode, useEffect, useState } from 'react';

interface Found {
  readonly live: CanvasJson;
  readonly draft: CanvasJson;
  readonly lastId: string | undefined;
}

/** Parts of the studio on a page of the product: the live version, pending changes, the latest execution, and a phone to try it. */
export function Overview({ studio, workflowId }: { readonly studio: StudioProps; readonly workflowId: string }) {
  const { client, companyId } = studio;
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const { canvas: draft, publishedVersion } = await client.draft(companyId, workflowId);
      const live = await client.version(companyId, workflowId, publishedVersion ?? 1);
      const [last] = (await client.executions(companyId, { workflowId, limit: 1 })).results;
      setFound({ live, draft, lastId: last?.executionId });
    };
    void read();
  }, [client, companyId, workflowId]);
  if (found === undefined) return <p>One moment…</p>;
  const { live, draft, lastId } = found;
  return (
    <main className="overview">
      <Part title="Live">
        <CanvasView {...studio} canvas={live} />
      </Part>
      <Part title="What the draft changes">
        <CanvasDiff {...studio} before={live} after={draft} />
      </Part>
      <Part title="The latest execution">
        {lastId === undefined ? <p>None yet.</p> : <ExecutionView {...studio} executionId={lastId} />}
      </Part>
      <Part title="Try the draft">
        <Tester {...studio} canvas={draft} />
      </Part>
    </main>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <div>{children}</div>
  </section>
);
