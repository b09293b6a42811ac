/** The real call of an API node, once and outside of any conversation: its author sees what the other system answers. */
import type { JsonObject } from '@hilo/engine/contract';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { usePortWord } from '../words/words.tsx';
import { editorWords } from '../forms/editors/editor-words.ts';

interface SendNowProps {
  readonly data: JsonObject;
  /** What its expressions read, by name. */
  readonly variables: JsonObject;
  /** The answer, as the node keeps it. */
  readonly onAnswer: (answer: JsonObject) => void;
}

type Answer = Awaited<ReturnType<Operations['sendRequest']>>;

export function SendNow({ data, variables, onAnswer }: SendNowProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(editorWords);
  const portWord = usePortWord();
  const { isBusy, reason, act } = useAct();
  const [answer, setAnswer] = useState<Answer>();
  const send = async (): Promise<void> => {
    setAnswer(undefined);
    const sent = await (await client.operations()).sendRequest({
      query: { companyId },
      body: { data, variables: { $context: variables } },
    });
    setAnswer(sent);
    if (sent.response !== null) onAnswer(sent.response as unknown as JsonObject);
  };
  return (
    <section className="send-now" aria-label={say('send.now')}>
      <button type="button" disabled={isBusy} onClick={() => act(send)}>
        <Send size={14} aria-hidden /> {say(isBusy ? 'send.sending' : 'send.now')}
      </button>
      <p className="help">{say('send.about')}</p>
      <Refused reason={reason} />
      {answer !== undefined && (
        <div role="status">
          <p className="caption" dir="auto">
            {say('send.address', { method: answer.method ?? '', url: answer.url ?? '' })}
          </p>
          <p className={answer.failure === null ? 'good' : 'bad'}>
            {answer.response === null ? say('send.unanswered') : say('send.answer', { status: answer.response.status })}
            {' · '}
            {say('send.leaves', { port: portWord(answer.port, 'api') })}
          </p>
          {answer.failure !== null && <p dir="auto">{answer.failure.message}</p>}
          {answer.response !== null && (
            <pre className="json" aria-label={say('send.body')} tabIndex={0} dir="auto">
              {typeof answer.response.body === 'string' ? answer.response.body : JSON.stringify(answer.response.body, undefined, 2)}
            </pre>
          )}
        </div>
      )}
    </section>
  );
}
