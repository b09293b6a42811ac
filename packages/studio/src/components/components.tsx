// The components that hosts place in pages of their own.
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { lazy, Suspense } from 'react';
import { useEngine } from '../worker/engine-client.ts';
import { type HiloStudioProps, type StudioProps, StudioRoot } from '../HiloStudio.tsx';
import { Loading } from '../parts/parts.tsx';
import type { HomeSection } from '../home/HomeScreen.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { TesterPanel } from '../tester/TesterPanel.tsx';
import { CanvasDiff as DiffBody } from './CanvasDiff.tsx';
import { CanvasView as CanvasBody } from './CanvasView.tsx';

const nothing = (): void => undefined;
const InboxBody = lazy(() => import('../inbox/InboxView.tsx').then((module) => ({ default: module.InboxBody })));
const HomeScreen = lazy(() => import('../home/HomeScreen.tsx').then((module) => ({ default: module.HomeScreen })));
const ExecutionScreen = lazy(() => import('../executions/ExecutionScreen.tsx').then((module) => ({ default: module.ExecutionScreen })));

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

/** An execution on the canvas of its version, with time travel; live until it ends. */
export const ExecutionView = ({
  executionId,
  step,
  ...studio
}: StudioProps & {
  readonly executionId: string;
  /** The step to begin with: the execution as it is, when left out. */
  readonly step?: number;
}) => (
  <StudioRoot {...studio}>
    <Suspense fallback={<Loading error={undefined} onRetry={nothing} />}>
      <ExecutionScreen key={executionId} executionId={executionId} {...(step !== undefined && { step })} />
    </Suspense>
  </StudioRoot>
);

/** The conversations that people answer, for a product with support of its own. */
export const Inbox = ({
  conversationId,
  ...studio
}: StudioProps & {
  /** The conversation to begin with. */
  readonly conversationId?: string;
}) => (
  <StudioRoot {...studio} drawsNodes={false}>
    <Suspense fallback={<Loading error={undefined} onRetry={nothing} />}>
      <InboxBody {...(conversationId !== undefined && { conversationId })} />
    </Suspense>
  </StudioRoot>
);

/** What waits for people, the bots, and the workflows that need somebody; its links lead where the host leads them. */
export const Home = ({
  onNavigate,
  hrefOf,
  sections,
  ...studio
}: StudioProps &
  Pick<HiloStudioProps, 'onNavigate' | 'hrefOf'> & {
    /** The parts that are shown; all, when left out. */
    readonly sections?: readonly HomeSection[];
  }) => (
  <StudioRoot {...studio} onNavigate={onNavigate} {...(hrefOf !== undefined && { hrefOf })} drawsNodes={false}>
    <Suspense fallback={<Loading error={undefined} onRetry={nothing} />}>
      <HomeScreen {...(sections !== undefined && { sections })} />
    </Suspense>
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

function TesterBody({ canvas }: { readonly canvas: CanvasJson }) {
  const { worker } = useStudio();
  return <TesterPanel engine={useEngine(worker)} canvas={canvas} onOverlay={nothing} onFollow={nothing} />;
}
