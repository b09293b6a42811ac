// A step of an execution: what it asked for, where it left, what it wrote, and who did it.
import type { JsonObject } from '@hilo/engine/contract';
import type { HistoryEntry } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { usePartWords } from '../words/part.ts';
import { stepWords } from './step-words.ts';
import { useActorName } from '../parts/shown-name.ts';
import { useEffectWord, useOutcomeWord } from '../words/effect-words.ts';
import { attemptsUntil } from './attempts.ts';
import { changesBetween } from './time-travel.ts';
import { shortTime, useInstant, useNames, usePortWord, useWords } from '../words/words.tsx';

interface StepDetailsProps {
  readonly entries: readonly HistoryEntry[];
  /** Which of them is shown, from 1. */
  readonly step: number;
  readonly onStep: (step: number) => void;
  /** What a node is called. */
  readonly nameOf: (nodeId: string) => string;
}

const nothing: ReadonlySet<string> = new Set();

/** One step: the port by which it left, its request and result, the attempts of its visit, its writes, and its failure. */
export function StepDetails({ entries, step, onStep, nameOf }: StepDetailsProps) {
  const say = useWords();
  const sayOf = usePartWords(stepWords);
  const actorName = useActorName();
  const instant = useInstant();
  const portWord = usePortWord();
  const causeWord = useNames('cause');
  const effectWord = useEffectWord();
  const outcomeWord = useOutcomeWord();
  const entry = entries[step - 1];
  const attempts = attemptsUntil(entries, step);
  if (entry === undefined) return null;
  const { nodeId, port, effect, cause, by, writes, limitMs, configuredMs, appliedMs, at, visitNumber } = entry;
  return (
    <section className="step">
      <h2 dir="auto" title={nodeId}>
        {nameOf(nodeId)} <span className="caption">#{visitNumber}</span>
      </h2>
      <p className="caption">{instant(at)}</p>
      <p>
        {port !== undefined
          ? sayOf('execution.left', { port: portWord(port, entry.type) })
          : effect !== undefined
            ? sayOf('execution.asked', { effect: effectWord(effect.type) })
            : sayOf('execution.begins', { node: nameOf(nodeId) })}
      </p>
      {cause !== undefined && (
        <p className="bad">
          {sayOf('execution.cause')}: {causeWord(cause)}
        </p>
      )}
      {by !== undefined && <p>{sayOf('execution.by', { by: actorName(by) })}</p>}
      {appliedMs !== undefined && (
        <p>
          {sayOf('execution.limit', {
            applied: shortTime(appliedMs),
            configured: typeof configuredMs !== 'number' ? '—' : shortTime(configuredMs),
            limit: limitMs === undefined ? '—' : shortTime(limitMs),
          })}
        </p>
      )}
      {effect?.request !== undefined && (
        <>
          <h3>{say('execution.request')}</h3>
          <VariablesTree value={effect.request} written={nothing} />
        </>
      )}
      {effect?.result !== undefined && (
        <>
          <h3>{sayOf('execution.result')}</h3>
          {isRecord(effect.result) && effect.result['kind'] === 'sent' && typeof effect.result['messageId'] === 'string' ? (
            <p>
              {outcomeWord('sent')} <code>{effect.result['messageId']}</code>
            </p>
          ) : (
            <VariablesTree value={effect.result} written={nothing} />
          )}
        </>
      )}
      {attempts.length > 0 && (
        <>
          <h3>{sayOf('execution.attempts')}</h3>
          <ol className="attempts">
            {attempts.map(({ step: asked, type, answer }, index) => (
              <li key={asked}>
                <button
                  type="button"
                  className="link"
                  aria-label={sayOf('execution.attempt', { number: index + 1, effect: effectWord(type) })}
                  onClick={() => onStep(asked)}
                >
                  {index + 1}. {effectWord(type)}
                </button>{' '}
                {answer === undefined
                  ? sayOf('execution.awaited')
                  : `${answer.outcome === '' ? '' : `${outcomeWord(answer.outcome)}, `}${sayOf('execution.took', { time: shortTime(answer.tookMs) })}`}
              </li>
            ))}
          </ol>
        </>
      )}
      {writes !== undefined && writes.length > 0 && (
        <>
          <h3>{sayOf('execution.wrote')}</h3>
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

/** What differs between the variables of two steps, path by path. */
export function VariableChanges({ before, after }: { readonly before: JsonObject; readonly after: JsonObject }) {
  const sayOf = usePartWords(stepWords);
  const changes = changesBetween(before, after);
  if (changes.length === 0) return <p className="quiet-text">{sayOf('execution.noDifference')}</p>;
  return (
    <dl className="variable-changes">
      {changes.map(({ path, before: old, after: now }) => (
        <div key={path}>
          <dt>
            <code dir="auto">{path}</code>
          </dt>
          <dd>
            <del dir="auto">{old === undefined ? '—' : JSON.stringify(old)}</del> <span aria-hidden>→</span>{' '}
            <ins dir="auto">{now === undefined ? '—' : JSON.stringify(now)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Variables as a tree; what the step wrote is marked. */
export function VariablesTree({
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
                  <pre className="json" tabIndex={0}>
                    {JSON.stringify(item, null, 2)}
                  </pre>
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
