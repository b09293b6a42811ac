// The component that shows a canvas.
import type { DescribedNode } from '@hilo/engine/authoring';
import { useEffect, useMemo, useState } from 'react';
import { Board } from '../board/Board.tsx';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson, Point } from '../canvas/canvas-json.ts';
import { flowOf } from '../canvas/flow.ts';
import { layOutAll } from '../editor/use-checks.ts';
import { useEngine } from '../worker/engine-client.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';

interface CanvasViewProps {
  readonly canvas: CanvasJson;
  readonly overlay?: Overlay;
  readonly inView?: string | undefined;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (nodeIds: readonly string[]) => void;
}

/** A canvas to look at. */
export function CanvasView({ canvas, overlay, inView, selected, onSelect }: CanvasViewProps) {
  const { catalogue, worker } = useStudio();
  const say = useWords();
  const engine = useEngine(worker);
  const [described, setDescribed] = useState<ReadonlyMap<string, DescribedNode>>();
  const [placed, setPlaced] = useState<ReadonlyMap<string, Point>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    const describe = async (): Promise<void> => {
      const { nodes } = await engine.check(canvas, []);
      const found = new Map(nodes.map((node) => [node.nodeId, node]));
      const places = canvas.nodes.some(({ position }) => position === undefined)
        ? await layOutAll(canvas, engine, { catalogue, described: found })
        : new Map<string, Point>();
      if (!isCurrent) return;
      setPlaced(places);
      setDescribed(found);
    };
    describe().catch(() => isCurrent && setDescribed(new Map()));
    return () => {
      isCurrent = false;
    };
  }, [canvas, engine, catalogue]);
  const flow = useMemo(
    () => (described === undefined ? undefined : flowOf(canvas, { catalogue, described, placed })),
    [canvas, catalogue, described, placed],
  );
  if (flow === undefined)
    return (
      <p className="loading" role="status">
        {say('app.loading')}
      </p>
    );
  return (
    <Board
      flow={flow}
      {...(overlay !== undefined && { overlay })}
      inView={inView}
      label={say('board.label', { name: canvas.name })}
      {...(selected !== undefined && { selected })}
      {...(onSelect !== undefined && { onSelect })}
    />
  );
}
