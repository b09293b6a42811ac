import { useState } from 'react';
import type { OpenCall } from '../worker/protocol.ts';
import { useEffectWord } from '../words/effect-words.ts';
import { useWords } from '../words/words.tsx';

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
      <form
        className="keep"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(line, isAlways);
        }}
      >
        <input
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
