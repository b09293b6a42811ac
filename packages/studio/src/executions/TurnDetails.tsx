// A turn of an agent, or the visit of another node that asks a model: its calls, folded, and what it has spent by then.
import type { HistoryEntry } from '../api/client.ts';
import { usePartWords } from '../words/part.ts';
import { useEffectWord, useOutcomeWord } from '../words/effect-words.ts';
import { shortTime, usePortWord, useWords } from '../words/words.tsx';
import { stepWords, useReasonWord } from './step-words.ts';
import { type CalledTool, spentUntil, type TurnLine, turnUntil } from './turns.ts';
import { VariablesTree } from './VariablesTree.tsx';

interface TurnDetailsProps {
  readonly entries: readonly HistoryEntry[];
  /** The step until which it is shown, from 1. */
  readonly step: number;
  readonly onStep: (step: number) => void;
}

/** The lines of a turn: each opens what was asked and answered, and leads to its steps. */
export function TurnDetails({ entries, step, onStep }: TurnDetailsProps) {
  const sayOf = usePartWords(stepWords);
  const lines = turnUntil(entries, step);
  const { turns, modelCalls, toolCalls, tokens } = spentUntil(entries, step);
  const isAgent = entries[step - 1]?.type === 'agent';
  return (
    <>
      <h3>{sayOf(isAgent ? 'execution.turn' : 'execution.visit')}</h3>
      <ol className="attempts turn">
        {lines.map((line) => (
          <li key={line.step}>
            <Line line={line} entry={entries[line.step - 1]} />
            {[line.step, line.answeredAt].map(
              (at) =>
                at !== undefined && (
                  <span key={at}>
                    {' '}
                    <button type="button" className="link" disabled={at === step} onClick={() => onStep(at)}>
                      {sayOf('execution.step', { step: at })}
                    </button>
                  </span>
                ),
            )}
          </li>
        ))}
      </ol>
      <p className="caption">
        {sayOf(isAgent ? 'execution.spent' : 'execution.spentCalls', { turns, modelCalls, toolCalls })}
        {tokens > 0 && `, ${sayOf('execution.tokens', { tokens })}`}
      </p>
    </>
  );
}

/** One thing that happened: who did what, and, opened, with which result. */
function Line({ line, entry }: { readonly line: TurnLine; readonly entry: HistoryEntry | undefined }) {
  const say = useWords();
  const sayOf = usePartWords(stepWords);
  const summary = useLineWords();
  const portWord = usePortWord();
  const { type, request, result, text, calls, answeredAt, tookMs } = line;
  if (type === undefined) {
    if (entry?.port !== undefined) return sayOf('execution.left', { port: portWord(entry.port, entry.type) });
    if (entry?.heard === undefined) return sayOf('execution.waits');
    return (
      <details>
        <summary>{sayOf('execution.heard')}</summary>
        <VariablesTree value={entry.heard} />
      </details>
    );
  }
  const when = answeredAt === undefined ? sayOf('execution.awaited') : sayOf('execution.took', { time: shortTime(tookMs ?? 0) });
  if (request === undefined && result === undefined) return `${summary(line)}, ${when}`;
  return (
    <details>
      <summary dir="auto">
        {summary(line)}, {when}
      </summary>
      {request !== undefined && (
        <>
          <h4>{say('execution.request')}</h4>
          <VariablesTree value={request} />
        </>
      )}
      {text !== undefined && <p dir="auto">{text}</p>}
      {calls.map((call, index) => (
        <Called key={index} {...call} />
      ))}
      {result !== undefined && (type !== 'model.ask' || line.reason !== undefined) && (
        <>
          <h4>{sayOf('execution.result')}</h4>
          <VariablesTree value={result} />
        </>
      )}
    </details>
  );
}

/** A call of a model: the text of its input, and what the model read of it. */
function Called({ tool, input, output }: CalledTool) {
  const sayOf = usePartWords(stepWords);
  return (
    <>
      <p dir="auto">
        <b>{tool}</b> <code>{input}</code>
      </p>
      {output !== undefined && (
        <>
          <p className={output.isError ? 'bad' : ''}>{sayOf(output.isError ? 'execution.toolError' : 'execution.output', { tool })}</p>
          <VariablesTree value={output.value} />
        </>
      )}
    </>
  );
}

/** Who did what, in a few words. */
function useLineWords(): (line: TurnLine) => string {
  const sayOf = usePartWords(stepWords);
  const effectWord = useEffectWord();
  const outcomeWord = useOutcomeWord();
  const reasonWord = useReasonWord();
  return ({ type = '', who = effectWord(type), reason, calls, outcome, text }) => {
    const isModel = type === 'model.ask';
    if (reason !== undefined) return sayOf(isModel ? 'execution.noAnswer' : 'execution.toolFails', { who, reason: reasonWord(reason) });
    if (isModel && outcome === 'length') return sayOf('execution.cut', { who });
    if (isModel && outcome === 'refused') return `${who}: ${outcomeWord(outcome)}`;
    if (calls.length > 0) return sayOf('execution.calls', { who, tools: calls.map(({ tool }) => tool).join(', ') });
    if (isModel && text !== undefined) return sayOf('execution.says', { who });
    return outcome === undefined || outcome === '' ? who : `${who}: ${outcomeWord(outcome)}`;
  };
}
