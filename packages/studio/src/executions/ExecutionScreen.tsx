import { ArrowLeft, Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Execution, HistoryEntry } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { reducesMotion } from '../board/Board.tsx';
import { CanvasView } from '../components/CanvasView.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { Dialog, IconButton, Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { BotMessage } from '../tester/Bubbles.tsx';
import { shortTime, useInstant, usePortWord, useWords } from '../words/words.tsx';
import { chatAt, heardIn, overlayAt, scriptUntil, timeline, variablesAt } from './time-travel.ts';

const isOver = (status: string): boolean => status !== 'running' && status !== 'waiting';

/** One execution over the canvas of its version, at any of its steps. */
export function ExecutionScreen({ executionId, step }: { readonly executionId: string; readonly step?: number }) {
  const { client, companyId } = useStudio();
  const { value, error, reload } = useLoaded(`execution/${executionId}`, async () => {
    const execution = await client.execution(companyId, executionId);
    const [entries, canvas] = await Promise.all([
      client.history(companyId, executionId),
      execution.version === 'draft'
        ? client.draft(companyId, execution.workflowId).then((draft) => draft.canvas)
        : client.version(companyId, execution.workflowId, execution.version),
    ]);
    return { execution, entries, canvas };
  });
  useLive(value !== undefined && !isOver(value.execution.status), reload);
  const canvas = useSameCanvas(value?.canvas, value?.execution);
  if (value === undefined || canvas === undefined) return <Loading error={error} onRetry={reload} />;
  return (
    <ExecutionView
      execution={value.execution}
      entries={value.entries}
      canvas={canvas}
      {...(step !== undefined && { step })}
      onChanged={reload}
    />
  );
}

/** A version is immutable: it is read again with each look, and keeps its identity. */
function useSameCanvas(canvas: CanvasJson | undefined, execution: Execution | undefined): CanvasJson | undefined {
  const key = `${execution?.workflowId} ${execution?.version}`;
  return useMemo(() => canvas, [key, canvas === undefined, execution?.version === 'draft' ? canvas : undefined]);
}

/** Looks again each second, as long as the execution can go on and somebody looks at it. */
function useLive(isLive: boolean, look: () => void): void {
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) look();
    }, 1_000);
    return () => clearInterval(timer);
  }, [isLive, look]);
}

interface ExecutionViewProps {
  readonly execution: Execution;
  readonly entries: readonly HistoryEntry[];
  readonly canvas: CanvasJson;
  readonly step?: number;
  readonly onChanged?: () => void;
}

/** An execution over its canvas, with a timeline: canvas, chat and variables all show the chosen step. */
export function ExecutionView({ execution, entries, canvas, step: asked, onChanged }: ExecutionViewProps) {
  const { client, companyId, go, can } = useStudio();
  const say = useWords();
  const instant = useInstant();
  const [step, setStep] = useState<number | undefined>(asked);
  const [tab, setTab] = useState<'step' | 'variables' | 'chat' | 'record'>('step');
  const [isPlaying, setPlaying] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [reason, setReason] = useState<string>();
  const at = Math.min(step ?? entries.length, entries.length);
  const entry = entries[at - 1];
  const overlay = useMemo(() => overlayAt(entries, at, execution, Date.now()), [entries, at, execution]);
  const ticks = useMemo(() => timeline(entries), [entries]);
  const width = Math.max(1, ticks.at(-1)?.at ?? 1);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => (at < entries.length ? setStep(at + 1) : setPlaying(false)), reducesMotion() ? 1_500 : 700);
    return () => clearTimeout(timer);
  }, [isPlaying, at, entries.length]);
  const variables = useMemo(() => variablesAt(entries, at, execution), [entries, at, execution]);
  const failed = (error: unknown): void => setReason(error instanceof Error ? error.message : String(error));

  const fork = async (): Promise<void> => {
    const { botId, userId } = execution;
    const messages = botId === null || userId === null ? [] : (await client.messages(companyId, botId, userId)).results;
    sessionStorage.setItem(`hilo-studio/fork/${execution.workflowId}`, scriptUntil(entries, at, heardIn(execution, messages)));
    go({ screen: 'editor', workflowId: execution.workflowId });
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest('input, textarea, select, dialog, [role="tab"]') !== null) return;
    if (event.key === 'ArrowLeft') setStep(Math.max(0, at - 1));
    else if (event.key === 'ArrowRight') setStep(Math.min(entries.length, at + 1));
    else return;
    event.preventDefault();
  };
  return (
    <main className="split execution" onKeyDown={onKeyDown}>
      <header className="top-bar">
        <IconButton label={say('executions.title')} onClick={() => go({ screen: 'executions', workflowId: execution.workflowId })}>
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1 dir="auto">
          {canvas.name} · {execution.userId ?? execution.executionId}
        </h1>
        <span className={`status ${execution.status}`} role="status">
          {execution.status}
        </span>
        <span className="caption">
          {execution.version === 'draft' ? say('versions.draft') : `v${execution.version}`} · {instant(execution.createdAt)}
        </span>
        <span className="spring" />
        <ModeButton />
        {execution.parentExecutionId !== null && (
          <button type="button" onClick={() => go({ screen: 'execution', executionId: execution.parentExecutionId ?? '' })}>
            {say('execution.parent')}
          </button>
        )}
        {can('test') && (
          <button type="button" onClick={() => void fork().catch(failed)}>
            {say('execution.fork')}
          </button>
        )}
        {can('operate') && execution.status === 'quarantined' && (
          <button type="button" onClick={() => void client.release(companyId, execution.executionId).then(onChanged, failed)}>
            {say('execution.release')}
          </button>
        )}
        {can('operate') && !isOver(execution.status) && (
          <button type="button" onClick={() => setCancelling(true)}>
            {say('execution.cancel')}
          </button>
        )}
      </header>
      <div className="stage">
        <CanvasView canvas={canvas} overlay={overlay} inView={step === undefined ? undefined : entry?.nodeId} />
        <div className="timeline" role="group" aria-label={say('execution.timeline')}>
          <IconButton label={say('execution.before')} disabled={at === 0} onClick={() => setStep(at - 1)}>
            <SkipBack size={15} aria-hidden />
          </IconButton>
          <IconButton
            label={say(isPlaying ? 'execution.pause' : 'execution.play')}
            onClick={() => {
              if (at >= entries.length) setStep(0);
              setPlaying(!isPlaying);
            }}
          >
            {isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          </IconButton>
          <IconButton label={say('execution.after')} disabled={at >= entries.length} onClick={() => setStep(at + 1)}>
            <SkipForward size={15} aria-hidden />
          </IconButton>
          <div className="ticks">
            <input
              type="range"
              min={0}
              max={entries.length}
              value={at}
              aria-label={say('execution.timeline')}
              aria-valuetext={say('execution.stepOf', { step: at, count: entries.length })}
              onChange={({ target }) => setStep(target.valueAsNumber)}
            />
            <div aria-hidden>
              {ticks.map(({ at: place, gap }, index) => (
                <span key={index} className={index < at ? 'done' : ''} style={{ insetInlineStart: `${(place / width) * 100}%` }}>
                  {gap !== undefined && <i>{gap}</i>}
                </span>
              ))}
            </div>
          </div>
          <span className="caption">{say('execution.stepOf', { step: at, count: entries.length })}</span>
        </div>
      </div>
      <aside className="side" aria-label={say('execution.title')}>
        <div role="tablist" aria-label={say('execution.title')}>
          {(['step', 'variables', 'chat', 'record'] as const).map((name) => (
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
          {tab === 'step' && entry !== undefined && <StepDetails entry={entry} />}
          {tab === 'variables' && <VariablesTree value={variables} written={new Set((entry?.writes ?? []).map(({ path }) => path))} />}
          {tab === 'chat' && (
            <ol className="bubbles chat">
              {chatAt(entries, at).map(({ message }, index) => (
                <li key={index} className="from-bot">
                  <BotMessage message={message} />
                </li>
              ))}
            </ol>
          )}
          {tab === 'record' && <pre className="json">{JSON.stringify({ execution, entry }, null, 2)}</pre>}
        </div>
      </aside>
      {isCancelling && (
        <Dialog title={say('execution.cancel')} onClose={() => setCancelling(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const given = new FormData(event.currentTarget).get('reason');
              client.cancel(companyId, execution.executionId, typeof given === 'string' ? given : '').then(() => {
                setCancelling(false);
                onChanged?.();
              }, failed);
            }}
          >
            <label className="field">
              {say('execution.reason')} <input name="reason" required maxLength={200} />
            </label>
            <button type="submit" className="primary">
              {say('execution.cancel')}
            </button>
          </form>
        </Dialog>
      )}
    </main>
  );
}

function StepDetails({ entry }: { readonly entry: HistoryEntry }) {
  const say = useWords();
  const instant = useInstant();
  const portWord = usePortWord();
  const { nodeId, port, effect, cause, writes, limitMs, configuredMs, appliedMs, at, visitNumber } = entry;
  return (
    <section className="step">
      <h2>
        {nodeId} <span className="caption">#{visitNumber}</span>
      </h2>
      <p className="caption">{instant(at)}</p>
      <p>
        {port !== undefined
          ? say('execution.left', { port: portWord(port) })
          : effect !== undefined
            ? say('execution.asked', { effect: effect.type })
            : say('execution.begins', { node: nodeId })}
      </p>
      {cause !== undefined && (
        <p className="bad">
          {say('execution.cause')}: {cause}
        </p>
      )}
      {appliedMs !== undefined && (
        <p>
          {say('execution.limit', {
            applied: shortTime(appliedMs),
            configured: typeof configuredMs !== 'number' ? '—' : shortTime(configuredMs),
            limit: limitMs === undefined ? '—' : shortTime(limitMs),
          })}
        </p>
      )}
      {effect?.request !== undefined && (
        <>
          <h3>{say('execution.request')}</h3>
          <pre className="json" dir="auto">
            {JSON.stringify(effect.request, null, 2)}
          </pre>
        </>
      )}
      {effect?.result !== undefined && (
        <>
          <h3>{say('execution.result')}</h3>
          <pre className="json" dir="auto">
            {JSON.stringify(effect.result, null, 2)}
          </pre>
        </>
      )}
      {writes !== undefined && writes.length > 0 && (
        <>
          <h3>{say('execution.wrote')}</h3>
          <dl>
            {writes.map(({ path, value }) => (
              <div key={path}>
                <dt>
                  <code>{path}</code>
                </dt>
                <dd dir="auto">{JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

/** Variables as a tree; what the step wrote is marked. */
function VariablesTree({
  value,
  written,
  path = '',
}: {
  readonly value: unknown;
  readonly written: ReadonlySet<string>;
  readonly path?: string;
}) {
  if (!isRecord(value)) return <code dir="auto">{JSON.stringify(value)}</code>;
  return (
    <ul className="tree">
      {Object.entries(value).map(([name, item]) => {
        const at = path === '' ? name : `${path}.${name}`;
        return (
          <li key={name} className={written.has(at) ? 'written' : ''}>
            <b>{name}</b>
            {written.has(at) && ' ●'}{' '}
            {isRecord(item) || Array.isArray(item) ? (
              <details open={path === ''}>
                <summary>{Array.isArray(item) ? `[${item.length}]` : '{ }'}</summary>
                {Array.isArray(item) ? (
                  <pre className="json">{JSON.stringify(item, null, 2)}</pre>
                ) : (
                  <VariablesTree value={item} written={written} path={at} />
                )}
              </details>
            ) : (
              <code dir="auto">{JSON.stringify(item)}</code>
            )}
          </li>
        );
      })}
    </ul>
  );
}
