import type { JsonObject } from '@hilo/engine/contract';
import { useState } from 'react';
import { isRecord, shownText } from '../canvas/canvas-json.ts';
import type { OpenCall } from '../worker/protocol.ts';
import { useWords } from '../words/words.tsx';

interface CallCardProps {
  readonly call: OpenCall;
  /** What it answered before, here or in the execution that was forked. */
  readonly known?: string | undefined;
  /** @param isAlways - whether its node is answered so from now on */
  readonly onAnswer: (line: string, isAlways: boolean) => void;
}

/** A call that the tester cannot perform: its request, and a suggested result. */
export function CallCard({ call, known, onAnswer }: CallCardProps) {
  const say = useWords();
  const [line, setLine] = useState(known ?? call.example);
  const [isAlways, setAlways] = useState(false);
  const request: JsonObject = isRecord(call.request) ? call.request : {};
  const isHttp = call.effect === 'http.request';
  return (
    <section className="call" aria-label={say('tester.call', { node: call.nodeId, what: call.effect })}>
      <p>
        <b>
          {say('tester.call', {
            node: call.nodeId,
            what: isHttp ? `${shownText(request['method'])} ${shownText(request['url'])}` : call.effect,
          })}
        </b>
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
          aria-label={say('tester.answerLine', { node: call.nodeId })}
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
