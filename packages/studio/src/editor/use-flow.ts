import { useMemo, useRef } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { type Flow, type FlowContext, flowOf } from '../canvas/flow.ts';

/** The drawing of a canvas that is edited: cards and wires that have not changed keep their identity, and are not drawn again. */
export function useFlow(canvas: CanvasJson, { catalogue, described, problems, placed }: Required<FlowContext>): Flow {
  const before = useRef<Flow>(undefined);
  return useMemo(() => {
    before.current = flowOf(canvas, { catalogue, described, problems, placed }, before.current);
    return before.current;
  }, [canvas, catalogue, described, problems, placed]);
}
