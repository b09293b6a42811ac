import type { Execution, HistoryEntry } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useEngine } from '../worker/use-engine.ts';
import { ExecutionView as ExecutionBody } from '../executions/ExecutionView.tsx';
import { type StudioProps, StudioRoot } from '../HiloStudio.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { TesterPanel } from '../tester/TesterPanel.tsx';
import { CanvasDiff as DiffBody } from './CanvasDiff.tsx';
import { CanvasView as CanvasBody } from './CanvasView.tsx';

/** A canvas to look at. */
export const CanvasView = ({ canvas, ...studio }: StudioProps & { readonly canvas: CanvasJson }) => (
  <StudioRoot {...studio}>
    <div className="stage">
      <CanvasBody canvas={canvas} />
    </div>
  </StudioRoot>
);

/** Two canvases as one picture of what changed. */
export const CanvasDiff = ({ before, after, ...studio }: StudioProps & { readonly before: CanvasJson; readonly after: CanvasJson }) => (
  <StudioRoot {...studio}>
    <div className="stage">
      <Difference before={before} after={after} />
    </div>
  </StudioRoot>
);

/** An execution over its canvas, with time travel. */
export const ExecutionView = ({
  execution,
  entries,
  canvas,
  ...studio
}: StudioProps & { readonly execution: Execution; readonly entries: readonly HistoryEntry[]; readonly canvas: CanvasJson }) => (
  <StudioRoot {...studio}>
    <ExecutionBody execution={execution} entries={entries} canvas={canvas} />
  </StudioRoot>
);

/** A canvas on a phone, in virtual time. */
export const Tester = ({ canvas, ...studio }: StudioProps & { readonly canvas: CanvasJson }) => (
  <StudioRoot {...studio}>
    <TesterBody canvas={canvas} />
  </StudioRoot>
);

function Difference({ before, after }: { readonly before: CanvasJson; readonly after: CanvasJson }) {
  const { worker } = useStudio();
  const engine = useEngine(worker);
  const { value: changes } = useLoaded(JSON.stringify([before, after]), () => engine.diff(before, after));
  return <DiffBody before={before} after={after} changes={changes} />;
}

const nothing = (): void => undefined;

function TesterBody({ canvas }: { readonly canvas: CanvasJson }) {
  const { worker } = useStudio();
  return <TesterPanel engine={useEngine(worker)} canvas={canvas} onOverlay={nothing} onFollow={nothing} />;
}
