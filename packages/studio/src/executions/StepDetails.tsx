// A step of an execution: what it asked for, where it left, what it wrote, and who did it.
import type { JsonObject } from '@hilo/engine/contract';
import type { HistoryEntry } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { usePartWords } from '../words/part.ts';
import { stepWords } from './step-words.ts';
import { useActorName } from '../parts/shown-name.ts';
import { useEffectWord, useOutcomeWord } from '../words/effect-words.ts';
import { attemptsUntil } from './attempts.ts';
import { TurnDetails } from './TurnDetails.tsx';
import { isTurn } from './turns.ts';
import { VariablesTree } from './VariablesTree.tsx';
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

/** One step: the port by which it left, its request and result, the attempts of its visit, its writes, and its failure. */
export function StepDetails({ entries, step, onStep, nameOf }: StepDetailsProps) {
  const sayOf = usePartWords(stepWords);
  const actorName = useActorName();
  const instant = useInstant();
  const portWord = usePortWord();
  const causeWord = useNames('cause');
  const effectWord = useEffectWord();
  const entry = entries[step - 1];
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
      {isTurn(entry) ? (
        <TurnDetails entries={entries} step={step} onStep={onStep} />
      ) : (
        <>
          <Call effect={effect} />
          <Attempts entries={entries} step={step} onStep={onStep} />
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

/** What a step asked for, or got. */
function Call({ effect }: { readonly effect: HistoryEntry['effect'] }) {
  const say = useWords();
  const sayOf = usePartWords(stepWords);
  const outcomeWord = useOutcomeWord();
  return (
    <>
      {effect?.request !== undefined && (
        <>
          <h3>{say('execution.request')}</h3>
          <VariablesTree value={effect.request} />
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
            <VariablesTree value={effect.result} />
          )}
        </>
      )}
    </>
  );
}

/** How often its visit asked, and what came of each time. */
function Attempts({ entries, step, onStep }: Pick<StepDetailsProps, 'entries' | 'step' | 'onStep'>) {
  const sayOf = usePartWords(stepWords);
  const effectWord = useEffectWord();
  const outcomeWord = useOutcomeWord();
  const attempts = attemptsUntil(entries, step);
  if (attempts.length === 0) return null;
  return (
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
