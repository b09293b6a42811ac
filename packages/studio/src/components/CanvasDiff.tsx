// The component that shows what changed between two canvases.
import type { CanvasDiff as Difference } from '@hilo/engine/authoring';
import { useMemo } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { marksOf, unionOf } from '../canvas/diff.ts';
import { CanvasView } from './CanvasView.tsx';

interface CanvasDiffProps {
  readonly before: CanvasJson;
  readonly after: CanvasJson;
  readonly changes: Difference | undefined;
  readonly inView?: string | undefined;
}

/** Two canvases in one picture: added, removed and changed parts are marked by colour and by sign. */
export function CanvasDiff({ before, after, changes, inView }: CanvasDiffProps) {
  const canvas = useMemo(() => unionOf(before, after), [before, after]);
  const overlay = useMemo(() => (changes === undefined ? {} : { marks: marksOf(changes) }), [changes]);
  return <CanvasView canvas={canvas} overlay={overlay} inView={inView} />;
}
