// What the editor draws of its canvas.
import { useMemo, useRef } from 'react';
import { noOverlay, type Overlay } from '../board/overlay.ts';
import { boxesOf } from '../board/rects.ts';
import { countOverlapping } from '../canvas/overlapping.ts';
import { portKey } from '../canvas/canvas-json.ts';
import { type Flow, flowOf } from '../canvas/flow.ts';
import { layers, useStudio } from '../studio-context.ts';
import { allProblems, type EditorState, problemsToShow } from './editor-store.ts';

/**
 * What an editor shows of its canvas: cards and wires, problems, and how many cards stand over another one; `allOfThem` has the problems of
 * what is unfinished, too.
 */
export function useDrawing({ history, described, placed, problems: own, serviceProblems, fresh }: EditorState) {
  const { canvas } = history;
  const { catalogue } = useStudio();
  const allOfThem = useMemo(() => allProblems({ problems: own, serviceProblems }), [own, serviceProblems]);
  const isAlone = canvas.nodes.length === 1;
  const problems = useMemo(
    () => problemsToShow({ problems: own, serviceProblems, fresh, history }),
    [own, serviceProblems, fresh, isAlone],
  );
  const before = useRef<Flow>(undefined);
  // Cards and wires that have not changed keep their identity, and are not drawn again.
  const flow = useMemo(() => {
    before.current = flowOf(canvas, { catalogue, described, problems, placed }, before.current);
    return before.current;
  }, [canvas, catalogue, described, problems, placed]);
  const overlapping = useMemo(() => countOverlapping(boxesOf(flow.cards.filter(({ frame }) => frame === undefined))), [flow]);
  return { problems, allOfThem, flow, overlapping };
}

/**
 * What lies over the canvas: the way that a problem shows, else the test, proof or changes while their panel is open; and what stands
 * beside its cards.
 */
export function useOverlay(
  { shown, panel }: Pick<EditorState, 'shown' | 'panel'>,
  test: Overlay | undefined,
  beside: Overlay['beside'],
): Overlay {
  const tested = panel === 'test' || layers.some((layer) => layer === panel) ? test : undefined;
  return useMemo(() => {
    const more = beside === undefined || beside.size === 0 ? noOverlay : { beside };
    if (shown === undefined) return tested === undefined ? more : { ...tested, ...more };
    return {
      ...more,
      way: {
        nodes: new Set(shown.way.map((step) => step.nodeId)),
        ports: new Set(shown.way.map((step) => portKey(step.nodeId, step.port ?? ''))),
        at: shown.way[shown.step]?.nodeId,
      },
    };
  }, [shown, tested, beside]);
}
