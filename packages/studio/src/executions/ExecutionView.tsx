// The component that shows one execution.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Execution, HistoryEntry, StateAtStep } from '../api/client.ts';
import { type CanvasJson, isRecord, shownText } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { CanvasView } from '../components/CanvasView.tsx';
import { useFocusAtOnce } from '../parts/use-focus-kept.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { BotMessage } from '../tester/BotMessage.tsx';
import { useReason } from '../words/reason.ts';
import { useWords } from '../words/words.tsx';
import { ExecutionBar } from './ExecutionBar.tsx';
import { keepFork } from './fork.ts';
import { StepDetails, VariableChanges } from './StepDetails.tsx';
import { chatAt, forkAt, overlayAt, scriptUntil, stepsThatMayCall, variablesAt } from './time-travel.ts';
import { Timeline } from './Timeline.tsx';
import { nextStop, stopBefore, stopsOf } from './turns.ts';
import { VariablesTree } from './VariablesTree.tsx';

interface ExecutionViewProps {
  readonly execution: Execution;
  readonly entries: readonly HistoryEntry[];
  readonly canvas: CanvasJson;
  /** The step to begin with: the execution as it is, when left out. */
  readonly step?: number;
  readonly onChanged?: () => void;
}

const tabs = ['step', 'variables', 'chat', 'record'] as const;

/** An execution over its canvas, with a timeline: canvas, chat and variables all show the chosen step. */
export function ExecutionView({ execution, entries, canvas, step: asked, onChanged }: ExecutionViewProps) {
  const { client, companyId, go } = useStudio();
  const say = useWords();
  const reasonOf = useReason();
  const nameOf = useNodeName(canvas);
  const [step, setStep] = useState<number | undefined>(asked);
  const [tab, setTab] = useState<(typeof tabs)[number]>('step');
  const [reason, setReason] = useState<string>();
  const at = Math.min(step ?? entries.length, entries.length);
  const entry = entries[at - 1];
  const stops = useMemo(() => stopsOf(entries), [entries]);
  const nowMs = useNowMs(execution.wait !== null);
  const overlay = useMemo(() => overlayAt(entries, at, execution, nowMs), [entries, at, execution, nowMs]);
  const { variables, wait } = useStateAt(execution, entries, at);
  const [other, setOther] = useState<number>();
  const { variables: otherVariables } = useStateAt(execution, entries, other ?? at);
  const area = useRef<HTMLDivElement>(null);
  useFocusAtOnce(area);
  const failed = (error: unknown): void => setReason(reasonOf(error));

  /** Shows a step, which is in the address then; after the last one, the execution is followed. */
  const show = (wanted: number): void => {
    const chosen = wanted >= entries.length ? undefined : Math.max(0, wanted);
    setStep(chosen);
    go({ screen: 'execution', executionId: execution.executionId, ...(chosen !== undefined && { step: chosen }) }, { replace: true });
  };
  /** Opens the execution that called this one, at the step that did. */
  const openParent = async (executionId: string): Promise<void> => {
    for (const called of stepsThatMayCall(await client.history(companyId, executionId), execution)) {
      const { wait: opened } = await client.stateAt(companyId, executionId, called);
      if (opened?.childExecutionId === execution.executionId) return go({ screen: 'execution', executionId, step: called });
    }
    return go({ screen: 'execution', executionId });
  };
  const fork = (): void => {
    keepFork(execution.workflowId, forkAt(entries, at, execution));
    go({ screen: 'editor', workflowId: execution.workflowId });
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest('input, textarea, select, dialog, [role="tab"]') !== null) return;
    if (event.key === 'ArrowLeft') show(stopBefore(stops, at));
    else if (event.key === 'ArrowRight') show(nextStop(stops, at));
    else return;
    event.preventDefault();
  };
  return (
    <div className="split execution" ref={area} tabIndex={-1} onKeyDown={onKeyDown}>
      <ExecutionBar
        name={canvas.name}
        execution={execution}
        nodes={canvas.nodes.flatMap(({ id, type }) => (type === 'note' || type === 'start' ? [] : [{ id, name: nameOf(id) }]))}
        event={(entry?.event ?? 0) > 0 ? entry?.event : undefined}
        childId={wait?.childExecutionId}
        acts={{
          openParent: (executionId) => void openParent(executionId).catch(failed),
          fork,
          copy: () => void navigator.clipboard.writeText(scriptUntil(entries, at)).catch(failed),
          release: () => void client.release(companyId, execution.executionId).then(onChanged, failed),
        }}
        onChanged={() => onChanged?.()}
      />
      <div className="stage">
        <CanvasView canvas={canvas} overlay={overlay} inView={step === undefined ? undefined : entry?.nodeId} />
        <Timeline entries={entries} stops={stops} at={at} onStep={show} />
      </div>
      <aside className="side" aria-label={say('execution.title')}>
        <div role="tablist" aria-label={say('execution.title')}>
          {tabs.map((name) => (
            <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
              {say(`execution.${name}`)}
            </button>
          ))}
        </div>
        {reason !== undefined && (
          <p role="alert" className="field-problem error">
            {reason}
          </p>
        )}
        <div role="tabpanel" aria-label={say(`execution.${tab}`)} tabIndex={0}>
          {tab === 'step' && <StepDetails entries={entries} step={at} onStep={show} nameOf={nameOf} />}
          {tab === 'variables' && (
            <>
              <label className="compare">
                {say('execution.compare')}{' '}
                <select value={other ?? ''} onChange={({ target }) => setOther(target.value === '' ? undefined : Number(target.value))}>
                  <option value="">—</option>
                  {entries.map(({ nodeId }, index) => (
                    <option key={index} value={index + 1}>
                      {index + 1}: {nameOf(nodeId)}
                    </option>
                  ))}
                </select>
              </label>
              {other === undefined ? (
                <VariablesTree value={variables} written={new Set((entry?.writes ?? []).map(({ path }) => path))} />
              ) : (
                <VariableChanges before={other < at ? otherVariables : variables} after={other < at ? variables : otherVariables} />
              )}
            </>
          )}
          {tab === 'chat' && (
            <ol className="bubbles chat">
              {chatAt(entries, at).map(({ isFromUser, message }, index) => (
                <li key={index} className={isFromUser ? 'from-user' : 'from-bot'} dir="auto">
                  {isFromUser ? saidText(message) : <BotMessage message={message} />}
                </li>
              ))}
            </ol>
          )}
          {tab === 'record' && (
            <pre className="json" tabIndex={0}>
              {JSON.stringify({ execution, entry }, null, 2)}
            </pre>
          )}
        </div>
      </aside>
    </div>
  );
}

/** How often the time that a wait has left is told anew. */
const tickMs = 10_000;

/** Now; it goes on while something is waited for. */
function useNowMs(isWaiting: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return nowMs;
}

/** The state at a step, as the service replays it; until it has, and where it cannot, what the steps wrote. */
function useStateAt(execution: Execution, entries: readonly HistoryEntry[], at: number): Pick<StateAtStep, 'variables' | 'wait'> {
  const { client, companyId } = useStudio();
  const isNow = at >= entries.length;
  const { value } = useLoaded(isNow ? 'now' : `state/${execution.executionId}/${at}`, async () =>
    isNow ? undefined : client.stateAt(companyId, execution.executionId, at).catch(() => undefined),
  );
  return useMemo(
    () => (isNow ? execution : (value ?? { variables: variablesAt(entries, at, execution), wait: null })),
    [execution, entries, at, value],
  );
}

function saidText(message: unknown): string {
  if (!isRecord(message)) return shownText(message);
  const { text, payload } = message;
  return typeof text === 'string' && text !== '' ? text : shownText(payload ?? message);
}
