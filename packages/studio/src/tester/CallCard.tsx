import { useRef, useState } from 'react';
import type { ModelOffer, OpenCall } from '../worker/protocol.ts';
import { useEffectWord } from '../words/effect-words.ts';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { modelWords } from './model-words.ts';

interface CallCardProps {
  readonly call: OpenCall;
  /** What its node is called. */
  readonly name: string;
  /** What it answered before, here or in the execution that was forked. */
  readonly known?: string | undefined;
  /** @param isAlways - whether its node is answered so from now on */
  readonly onAnswer: (line: string, isAlways: boolean) => void;
}

/** A call that the tester cannot perform: its request, and a suggested result. */
export function CallCard({ call, name, known, onAnswer }: CallCardProps) {
  const say = useWords();
  const [line, setLine] = useState(known ?? call.example);
  const [isAlways, setAlways] = useState(false);
  const answer = useRef<HTMLInputElement>(null);
  const isHttp = call.effect === 'http.request';
  const title = say('tester.call', { node: name, what: useEffectWord()(call.effect, call.request) });
  return (
    <section className="call" aria-label={title}>
      <p>
        <b dir="auto">{title}</b>
      </p>
      <details>
        <summary>{say('execution.request')}</summary>
        <pre className="json" tabIndex={0}>
          {JSON.stringify(call.request, null, 2)}
        </pre>
      </details>
      {isHttp && (
        <p className="buttons">
          <button type="button" onClick={() => onAnswer(known?.startsWith('api: 200') === true ? known : 'api: 200 {"ok":true}', isAlways)}>
            {say('tester.answer200')}
          </button>
          <button type="button" onClick={() => onAnswer('api: 404', isAlways)}>
            {say('tester.answer404')}
          </button>
          <button type="button" onClick={() => onAnswer('api: 500', isAlways)}>
            {say('tester.answer500')}
          </button>
          <button type="button" onClick={() => onAnswer('api: timeout', isAlways)}>
            {say('tester.answerTimeout')}
          </button>
        </p>
      )}
      {call.offers !== undefined && (
        <ModelOffers
          offers={call.offers}
          onAnswer={(chosen) => onAnswer(chosen, isAlways)}
          onWrite={(chosen) => {
            setLine(chosen);
            answer.current?.focus();
          }}
        />
      )}
      <form
        className="keep"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(line, isAlways);
        }}
      >
        <input
          ref={answer}
          aria-label={say('tester.answerLine', { node: name })}
          value={line}
          spellCheck={false}
          onChange={({ target }) => setLine(target.value)}
        />
        <button type="submit">{say('tester.answer')}</button>
      </form>
      <label className="check">
        <input type="checkbox" checked={isAlways} onChange={({ target }) => setAlways(target.checked)} /> {say('tester.always')}
      </label>
    </section>
  );
}

/** What the model could answer: a press says it, or writes it where its values are samples, to be changed. */
function ModelOffers({
  offers,
  onAnswer,
  onWrite,
}: {
  readonly offers: readonly ModelOffer[];
  readonly onAnswer: (line: string) => void;
  readonly onWrite: (line: string) => void;
}) {
  const say = usePartWords(modelWords);
  return (
    <p className="buttons">
      {offers.map(({ kind, name = '', line, hasInput = false }) => (
        <button
          key={`${kind} ${name}`}
          type="button"
          title={line}
          onClick={() => (hasInput || kind === 'reply' ? onWrite(line) : onAnswer(line))}
        >
          <span dir="auto">{kind === 'reply' ? say('model.says') : say(`model.${kind}`, { name })}</span>
        </button>
      ))}
    </p>
  );
}
