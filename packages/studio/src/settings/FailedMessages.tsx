// The messages of a bot that did not arrive: to whom, when, and why, newest first.
import { useState } from 'react';
import { isRecord } from '../canvas/canvas-json.ts';
import { Go } from '../parts/Go.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useMoment } from '../words/moment.ts';
import { usePartWords } from '../words/part.ts';
import { useNames } from '../words/words.tsx';
import { settingsWords } from './settings-words.ts';

const dayMs = 86_400_000;
/** The periods that may be looked at; the first covers yesterday. */
const periods = [2, 7, 30] as const;
/** So many are listed. */
const limit = 100;

export function FailedMessages({ botId }: { readonly botId: string }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(settingsWords);
  const instant = useMoment();
  const personName = usePersonName();
  const causeWord = useNames('cause');
  const [days, setDays] = useState<number>(periods[0]);
  const { value, error, reload } = useLoaded(`failed/${companyId}/${botId}/${days}`, async () => {
    const { listBotMessages } = await client.operations();
    const since = new Date(Date.now() - days * dayMs).toISOString();
    return listBotMessages({ path: { botId }, query: { companyId, status: 'failed', order: 'desc', since, limit } });
  });
  return (
    <>
      <label className="field">
        {say('failed.period')}{' '}
        <select value={days} onChange={({ target }) => setDays(Number(target.value))}>
          {periods.map((count) => (
            <option key={count} value={count}>
              {say('failed.days', { count })}
            </option>
          ))}
        </select>
      </label>
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : value.results.length === 0 ? (
        <p className="quiet-text">{say('failed.none')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('failed.when')}</th>
              <th>{say('failed.to')}</th>
              <th>{say('failed.text')}</th>
              <th>{say('failed.why')}</th>
            </tr>
          </thead>
          <tbody>
            {value.results.map(({ messageId, createdAt, userId, message, cause = '', explanation, executionId }) => (
              <tr key={messageId}>
                <td>
                  {executionId === undefined ? (
                    instant(createdAt)
                  ) : (
                    <Go view={{ screen: 'execution', executionId }}>{instant(createdAt)}</Go>
                  )}
                </td>
                <td dir="auto">{personName(undefined, userId)}</td>
                <td dir="auto">{textOf(message)}</td>
                <td>
                  {causeWord(cause)}
                  {explanation !== undefined && <span className="caption"> {explanation}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {value !== undefined && value.nextCursor !== null && <p className="quiet-text">{say('failed.more', { count: limit })}</p>}
    </>
  );
}

/** What a message says, or the name of its template: enough to recognise it by. */
function textOf(message: unknown): string {
  if (!isRecord(message)) return '';
  const text = message['text'] ?? message['body'] ?? message['elementName'] ?? message['type'];
  return typeof text === 'string'
    ? text.slice(0, 200)
    : isRecord(text) && typeof text['body'] === 'string'
      ? text['body'].slice(0, 200)
      : '';
}
