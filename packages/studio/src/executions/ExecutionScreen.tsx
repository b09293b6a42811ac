// The screen of one execution.
import { useEffect, useMemo } from 'react';
import type { Execution } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading, Missing } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import { ExecutionView } from './ExecutionView.tsx';
import { isOver } from './time-travel.ts';

/** One execution on the canvas of its version, at any of its steps; live until it ends. */
export function ExecutionScreen({ executionId, step }: { readonly executionId: string; readonly step?: number }) {
  const { client, companyId, go } = useStudio();
  const say = useWords();
  const { value, error, reload, isMissing, isSignedOut } = useLoaded(`execution/${executionId}`, async () => {
    const execution = await client.execution(companyId, executionId);
    const { version, workflowId } = execution;
    const [entries, canvas] = await Promise.all([
      client.history(companyId, executionId),
      version === 'draft'
        ? client.draft(companyId, workflowId).then((draft) => draft.canvas)
        : client.version(companyId, workflowId, version),
    ]);
    return { execution, entries, canvas };
  });
  useLive(executionId, value !== undefined && !isOver(value.execution.status), reload);
  const canvas = useSameCanvas(value?.canvas, value?.execution);
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (isMissing) return <Missing text={say('app.noExecution', { id: executionId })} onBack={() => go({ screen: 'workflows' })} />;
  if (value === undefined || canvas === undefined) return <Loading error={error} onRetry={reload} />;
  return <ExecutionView {...value} canvas={canvas} {...(step !== undefined && { step })} onChanged={reload} />;
}

/** A version is immutable: it is read again with each look, and keeps its identity. */
function useSameCanvas(canvas: CanvasJson | undefined, execution: Execution | undefined): CanvasJson | undefined {
  const key = `${execution?.workflowId} ${execution?.version}`;
  return useMemo(() => canvas, [key, canvas === undefined, execution?.version === 'draft' ? canvas : undefined]);
}

/** Several steps that happen at once are one look. */
const gatherMs = 80;

/** Follows an execution by its events, and reads it again after each: an event is a hint, and some may be missed. */
function useLive(executionId: string, isLive: boolean, look: () => void): void {
  const { client, companyId } = useStudio();
  useEffect(() => {
    if (!isLive) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onEvent = (): void => {
      clearTimeout(timer);
      timer = setTimeout(look, gatherMs);
    };
    void client.watch(companyId, { executionId }, { signal: stop.signal, onEvent });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [client, companyId, executionId, isLive, look]);
}
