// What the draft changes of the live version, over the canvas; and what the last conversations would have heard by it.
import { useEffect, useState } from 'react';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { countChanges, marksOf } from '../canvas/diff.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { ReplayReport } from '../change/ReplayReport.tsx';
import { Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { ChangesList } from '../versions/ChangesList.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import { usePartWords } from '../words/part.ts';
import { proofWords } from './proof-words.ts';

interface ChangesPanelProps {
  readonly engine: EngineClient;
  readonly canvas: CanvasJson;
  /** The live version; `null` before the first one. */
  readonly version: number | null;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  /** Brings a node into view. */
  readonly onOpen: (nodeId: string) => void;
}

type Changes = Awaited<ReturnType<EngineClient['diff']>>;

export function ChangesPanel({ engine, canvas, version, onOverlay, onOpen }: ChangesPanelProps) {
  const { client, companyId, can } = useStudio();
  const say = usePartWords(proofWords);
  const [changes, setChanges] = useState<Changes>();
  const {
    value: live,
    error,
    reload,
  } = useLoaded(`live/${canvas.id}/${version}`, async () => (version === null ? undefined : client.version(companyId, canvas.id, version)));
  const nodes = [...canvas.nodes, ...(live?.nodes ?? [])]; // what was removed has its name in the old one
  const nameOf = useNodeName({ nodes });
  useEffect(() => {
    let isCurrent = true;
    onOverlay(undefined);
    if (live !== undefined)
      engine.diff(live, canvas).then(
        (found) => {
          if (!isCurrent) return;
          setChanges(found);
          const count = countChanges(found);
          onOverlay({
            marks: marksOf(found),
            strip: count === 0 ? say('changes.none', { version: version ?? 0 }) : say('changes.count', { count }),
          });
        },
        () => isCurrent && setChanges(undefined), // a draft that cannot be read has problems, which are shown elsewhere
      );
    return () => {
      isCurrent = false;
    };
  }, [live, canvas, engine]);
  if (version === null) return <p className="quiet-text">{say('changes.first')}</p>;
  if (changes === undefined) return <Loading error={error} onRetry={reload} />;
  const isSame = countChanges(changes) === 0;
  return (
    <section className="change-part">
      <h2>{say('changes.title', { version })}</h2>
      {isSame ? (
        <p className="quiet-text">{say('changes.none', { version })}</p>
      ) : (
        <ChangesList changes={changes} nodes={nodes} onOpen={onOpen} />
      )}
      {!isSame && can('publish') && <ReplayReport workflowId={canvas.id} nameOf={nameOf} />}
    </section>
  );
}
