// The studio as one component for hosts.
import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { HiloClient } from './api/client.ts';
import type { CatalogueEntry } from './canvas/canvas-json.ts';
import { forgetFork, keptFork } from './executions/fork.ts';
import { IconsContext, type HostIcons } from './parts/icons.tsx';
import { ModeContext } from './parts/ModeButton.tsx';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import { loadPart } from './parts/load-part.ts';
import { Loading } from './parts/parts.tsx';
import { useLoaded } from './parts/use-loaded.ts';
import { type Navigate, type Permission, railClass, type Studio, StudioContext, useStudio, type View } from './studio-context.ts';
import type { WidgetComponent } from './forms/widget-props.ts';
import { standardWorker, type WorkerFactory } from './worker/engine-client.ts';
import type { Words } from './words/en.ts';
import { LanguageProvider } from './words/words.tsx';
import { WorkflowsScreen } from './workflows/WorkflowsScreen.tsx';

const Rail = lazy(() => import('./rail/Rail.tsx').then((module) => ({ default: module.Rail })));
const loadEditor = () => import('./editor/EditorScreen.tsx').then((module) => ({ default: module.EditorScreen }));
const EditorScreen = lazy(loadEditor);
const VersionsScreen = lazy(() => import('./versions/VersionsScreen.tsx').then((module) => ({ default: module.VersionsScreen })));
const ExecutionsScreen = lazy(() => import('./executions/ExecutionsScreen.tsx').then((module) => ({ default: module.ExecutionsScreen })));
const HomeScreen = lazy(() => import('./home/HomeScreen.tsx').then((module) => ({ default: module.HomeScreen })));
const GalleryScreen = lazy(() => import('./gallery/GalleryScreen.tsx').then((module) => ({ default: module.GalleryScreen })));
const InboxView = lazy(() => import('./inbox/InboxView.tsx').then((module) => ({ default: module.InboxView })));
const SettingsScreen = lazy(() => import('./settings/SettingsScreen.tsx').then((module) => ({ default: module.SettingsScreen })));
const JobsScreen = lazy(() => import('./change/JobsScreen.tsx').then((module) => ({ default: module.JobsScreen })));
const AuditScreen = lazy(() => import('./change/AuditScreen.tsx').then((module) => ({ default: module.AuditScreen })));
const ExecutionScreen = lazy(() => import('./executions/ExecutionScreen.tsx').then((module) => ({ default: module.ExecutionScreen })));

/** Loads the code of the editor, while nothing of it is shown yet. A failure is told by the screen, which loads it again. */
export const loadEditorAhead = (): void => void loadEditor().catch(() => undefined);

/** The theme that a host sets. */
export interface Theme {
  /** A CSS colour. */
  readonly accent?: string;
  /** Of panels, in pixels; 10 when left out. */
  readonly radius?: number;
  /** A CSS font family, or `inherit`. */
  readonly font?: string;
  /** The system's choice, when left out. */
  readonly mode?: 'light' | 'dark';
}

/** The properties of every component of the studio. */
export interface StudioProps {
  readonly client: HiloClient;
  readonly companyId: string;
  /** Creates the worker that checks and tests: a host with own nodes passes one that has them. */
  readonly worker?: WorkerFactory;
  /** Icons of own nodes, by the name in their definition. */
  readonly icons?: HostIcons;
  /** Form fields by hint: for own hints, or in place of ours. */
  readonly widgets?: { readonly [hint: string]: WidgetComponent };
  readonly theme?: Theme;
  /** A BCP 47 tag: `en` and `es` are translated, others show English texts with their own dates. */
  readonly locale?: string;
  readonly words?: Words;
  /** What this person may do; everything that the service allows, when left out. */
  readonly can?: readonly Permission[];
}

/** What a host gives the whole studio: where it is, and how to go elsewhere. */
export interface HiloStudioProps extends StudioProps {
  readonly view: View;
  readonly onNavigate: Navigate;
  /** The address of a view in the host's own scheme; links lead nowhere else when left out. */
  readonly hrefOf?: (view: View) => string;
  /** Shown above the list of workflows, such as the name of the session's user; in the rail where there is one. */
  readonly session?: React.ReactNode;
  /** Whether a rail beside each screen leads to the others; a host that leads to them itself leaves it out. */
  readonly hasRail?: boolean;
}

const everything: readonly Permission[] = ['view', 'edit', 'test', 'publish', 'operate', 'answer', 'admin'];
const noWidgets = {};
const noIcons = {};
const noNodes: readonly CatalogueEntry[] = [];
const noWords = {};

/** The whole studio, as a component of another product. The host keeps the view in its own address bar. */
export function HiloStudio({ view, onNavigate, hrefOf = noAddress, session, hasRail = false, ...props }: HiloStudioProps) {
  return (
    <StudioRoot {...props} onNavigate={onNavigate} hrefOf={hrefOf} hasRail={hasRail} drawsNodes={view.screen !== 'inbox'}>
      {hasRail ? <WithRail view={view} session={session} /> : <Screen view={view} session={session} />}
    </StudioRoot>
  );
}

const noAddress = (): string => '#';

/** A screen with the rail beside it. */
function WithRail({ view, session }: Pick<HiloStudioProps, 'view' | 'session'>) {
  const { isNarrow } = useStudio();
  return (
    <div className="with-rail">
      <Suspense fallback={<nav className={railClass(view, isNarrow)} />}>
        <Rail view={view} isNarrow={isNarrow} session={session} />
      </Suspense>
      <div>
        <Screen view={view} session={undefined} />
      </div>
    </div>
  );
}

/** The providers around the studio's components: catalogue, texts and theme. */
export function StudioRoot({
  client,
  companyId,
  worker = standardWorker,
  icons = noIcons,
  widgets = noWidgets,
  theme = {},
  locale = 'en',
  words,
  can = everything,
  onNavigate,
  hrefOf = noAddress,
  hasRail = false,
  drawsNodes = true,
  children,
}: StudioProps & {
  /** Whether the catalogue is needed, which who only answers users may not read. */
  readonly drawsNodes?: boolean;
  readonly hasRail?: boolean;
  readonly onNavigate?: Navigate;
  readonly hrefOf?: (view: View) => string;
  readonly children: React.ReactNode;
}) {
  const {
    value: catalogue,
    error,
    reload,
  } = useLoaded(drawsNodes ? 'catalogue' : 'no catalogue', async () => (drawsNodes ? client.nodes() : noNodes));
  // A language comes on its own: who reads English does not load it.
  const isSpanish = locale.startsWith('es');
  const { value: dictionary, error: unspoken } = useLoaded(`words/${isSpanish ? 'es' : 'en'}`, async () =>
    isSpanish ? import('./words/es.ts').then(({ es, esNodes }) => ({ ...es, ...esNodes })) : noWords,
  );
  const root = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(root);
  useKeptPresses(root);
  const studio = useMemo(
    (): Studio | undefined =>
      catalogue && {
        client,
        companyId,
        worker,
        widgets,
        catalogue: new Map(catalogue.map((entry) => [entry.type, entry])),
        can: (permission) =>
          permission === 'test'
            ? can.includes('test') || can.includes('edit')
            : permission === 'answer'
              ? can.includes('answer') || can.includes('operate')
              : can.includes(permission) && !(permission === 'edit' && isNarrow),
        hasScreens: onNavigate !== undefined,
        hasRail,
        isNarrow,
        go: onNavigate ?? (() => undefined),
        hrefOf,
      },
    [catalogue, client, companyId, worker, widgets, can, isNarrow, onNavigate, hrefOf, hasRail],
  );
  const [chosen, setChosen] = useState<'light' | 'dark'>();
  const mode = theme.mode ?? chosen;
  const choice = useMemo(() => (theme.mode === undefined ? { mode: chosen, choose: setChosen } : undefined), [theme.mode, chosen]);
  const style = {
    ...(theme.accent !== undefined && { '--accent': theme.accent }),
    ...(theme.radius !== undefined && { '--radius': `${theme.radius}px` }),
    ...(theme.font !== undefined && { fontFamily: theme.font }),
  } as React.CSSProperties;
  return (
    <LanguageProvider locale={locale} dictionary={dictionary ?? noWords} words={words}>
      <IconsContext value={icons}>
        <div ref={root} className="hilo-studio" data-mode={mode} style={style} lang={isSpanish ? 'es' : 'en'}>
          {studio === undefined || (dictionary === undefined && unspoken === undefined) ? (
            <Loading error={error} onRetry={reload} />
          ) : (
            <StudioContext value={studio}>
              <ModeContext value={choice}>{children}</ModeContext>
            </StudioContext>
          )}
        </div>
      </IconsContext>
    </LanguageProvider>
  );
}

/** Below this width nothing is edited: the style sheet has the same number. */
const editingWidth = 900;

/** Whether the studio is too narrow to edit in, at the moment. */
function useIsNarrow(root: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useEffect(() => {
    if (root.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) setNarrow(width < editingWidth);
    });
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [root]);
  return isNarrow;
}

/** Presses in the studio belong to what was pressed, once that part is loaded. */
function useKeptPresses(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const ended = new AbortController();
    void loadPart(() => import('./parts/keep-presses.ts')).then(({ keepPresses }) => {
      if (root.current !== null) keepPresses(root.current, ended.signal);
    });
    return () => ended.abort();
  }, [root]);
}

function Screen({ view, session }: Pick<HiloStudioProps, 'view' | 'session'>) {
  return (
    <ErrorBoundary key={view.screen}>
      <Suspense fallback={<Loading error={undefined} onRetry={() => undefined} />}>{screenOf(view, session)}</Suspense>
    </ErrorBoundary>
  );
}

function screenOf(view: View, session: React.ReactNode): React.ReactNode {
  switch (view.screen) {
    case 'workflows':
      return <WorkflowsScreen session={session} />;
    case 'editor':
      return <Editor key={view.workflowId} {...view} />;
    case 'versions':
      return <VersionsScreen key={view.workflowId} workflowId={view.workflowId} />;
    case 'home':
      return <HomeScreen session={session} />;
    case 'gallery':
      return <GalleryScreen {...(view.exampleId !== undefined && { exampleId: view.exampleId })} />;
    case 'inbox':
      return <InboxView view={view} session={session} />;
    case 'settings': {
      const { section, recordId } = view;
      return <SettingsScreen section={section} session={session} {...(recordId !== undefined && { recordId })} />;
    }
    case 'jobs':
      return <JobsScreen {...(view.jobId !== undefined && { jobId: view.jobId })} />;
    case 'audit': {
      const { screen: _screen, ...filter } = view;
      return <AuditScreen {...filter} />;
    }
    case 'executions': {
      const { screen: _screen, ...filter } = view;
      return <ExecutionsScreen {...filter} />;
    }
    case 'execution':
      return (
        <main className="whole">
          <ExecutionScreen key={view.executionId} executionId={view.executionId} {...(view.step !== undefined && { step: view.step })} />
        </main>
      );
  }
}

/** The editor; with the conversation of a fork that an execution left for it. */
function Editor({ screen: _screen, from, version, channel, ...about }: Extract<View, { readonly screen: 'editor' }>) {
  const { workflowId } = about;
  const numbers = {
    ...(from !== undefined && { from }),
    ...(version !== undefined && { version }),
    ...(channel !== undefined && { channel }),
  };
  const [fork] = useState(() => keptFork(workflowId));
  useEffect(() => forgetFork(workflowId), [workflowId]);
  return <EditorScreen {...about} numbers={numbers} {...(fork !== undefined && { fork })} />;
}
