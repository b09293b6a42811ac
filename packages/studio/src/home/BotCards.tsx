// The bots of a company on its home: what came and went in two weeks, what they answer to, and how people reach those that are here.
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Go } from '../parts/Go.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useNames } from '../words/words.tsx';
import { homeWords } from './home-words.ts';
import type { Overview } from './overview.ts';

type Bot = Overview['bots'][number];

/** So many keywords are shown at once. */
const keywordsShown = 6;

export function BotCards({ bots }: { readonly bots: Overview['bots'] }) {
  const say = usePartWords(homeWords);
  return (
    <section className="home-part">
      <h2>{say('home.bots')}</h2>
      {bots.length === 0 && <p className="quiet-text">{say('home.noBots')}</p>}
      <ul className="home-bots">
        {bots.map((bot) => (
          <BotCard key={bot.id} bot={bot} />
        ))}
      </ul>
    </section>
  );
}

function BotCard({ bot: { id, name, channel, provider, environment, messages, answers } }: { readonly bot: Bot }) {
  const { client, can } = useStudio();
  const say = usePartWords(homeWords);
  const channelWord = useNames('channel');
  const [isCopied, setCopied] = useState(false);
  const code = `<script src="${client.serviceUrl('/chat.js')}" data-bot="${id}" defer></script>`;
  return (
    <li className="home-bot">
      <p className="home-bot-name">
        <b dir="auto">{name}</b> <span className="caption">{channelWord(channel)}</span>
        {environment === 'test' && <span className="caption"> · {say('home.isTest')}</span>}
      </p>
      {can('operate') && <Connection botId={id} />}
      <Sparkline messages={messages} />
      <Answers answers={answers} />
      <p className="buttons">
        {provider === 'web' && (
          <>
            <a href={client.serviceUrl(`/chat/${encodeURIComponent(id)}`)} target="_blank" rel="noreferrer">
              {say('home.openChat')}
            </a>
            <button
              type="button"
              title={say('home.embedHint')}
              onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
            >
              {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />} {say('home.embed')}
            </button>
          </>
        )}
        {can('operate') && <Go view={{ screen: 'settings', section: 'bots', recordId: id }}>{say('home.botSettings')}</Go>}
      </p>
    </li>
  );
}

/** Whether the provider of a bot takes its credentials: asked on request, since each question is one to the provider, and is on record. */
function Connection({ botId }: { readonly botId: string }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(homeWords);
  const { isBusy, reason, act } = useAct();
  const [check, setCheck] = useState<{ readonly isWorking: boolean | null; readonly message: string }>();
  const ask = async (): Promise<void> => setCheck(await (await client.operations()).checkBot({ path: { botId }, query: { companyId } }));
  return (
    <div className="home-connection" role="status">
      {check === undefined ? (
        <button type="button" className="link" disabled={isBusy} onClick={() => act(ask)}>
          {say('home.check')}
        </button>
      ) : (
        <>
          <b className={check.isWorking === null ? '' : check.isWorking ? 'good' : 'bad'}>
            {say(check.isWorking === null ? 'home.unchecked' : check.isWorking ? 'home.works' : 'home.fails')}
          </b>{' '}
          <span className="caption" dir="auto">
            {check.message}
          </span>
        </>
      )}
      <Refused reason={reason} />
    </div>
  );
}

const bar = { width: 10, gap: 3, height: 36 };

/** The messages of two weeks, a bar a day: what users wrote stands below what they were sent. */
function Sparkline({ messages: { days, received, sent, isPartial } }: { readonly messages: Bot['messages'] }) {
  const say = usePartWords(homeWords);
  const most = Math.max(1, ...days.map((day) => day.received + day.sent));
  const text = say(isPartial ? 'home.messagesAtLeast' : 'home.messages', { received, sent });
  return (
    <p className="home-days">
      <svg
        role="img"
        aria-label={text}
        width={days.length * (bar.width + bar.gap)}
        height={bar.height}
        viewBox={`0 0 ${days.length * (bar.width + bar.gap)} ${bar.height}`}
      >
        {days.map((day, index) => {
          const [own, theirs] = [day.received, day.sent].map((count) => (count / most) * (bar.height - 2));
          const x = index * (bar.width + bar.gap);
          return (
            <g key={day.date}>
              <title>{`${day.date}: ${say('home.messages', { received: day.received, sent: day.sent })}`}</title>
              <rect className="ground" x={x} y={bar.height - 2} width={bar.width} height={2} />
              <rect className="received" x={x} y={bar.height - (own ?? 0) - 2} width={bar.width} height={own} />
              <rect className="sent" x={x} y={bar.height - (own ?? 0) - (theirs ?? 0) - 2} width={bar.width} height={theirs} />
            </g>
          );
        })}
      </svg>
      <span className="caption">{text}</span>
    </p>
  );
}

/** Which workflow a message starts: this is what publishing another one may change. */
function Answers({ answers: { fallback, keywords } }: { readonly answers: Bot['answers'] }) {
  const say = usePartWords(homeWords);
  const [isWhole, setWhole] = useState(false);
  if (fallback === null && keywords.length === 0) return <p className="warn">{say('home.answersNothing')}</p>;
  const shown = isWhole ? keywords : keywords.slice(0, keywordsShown);
  return (
    <dl className="home-answers">
      {shown.map(({ keyword, workflowId, name }) => (
        <div key={keyword}>
          <dt dir="auto">“{keyword}”</dt>
          <dd>
            <Go view={{ screen: 'editor', workflowId }}>{name}</Go>
          </dd>
        </div>
      ))}
      {shown.length < keywords.length && (
        <div>
          <dt />
          <dd>
            <button type="button" className="link" onClick={() => setWhole(true)}>
              {say('home.moreKeywords', { count: keywords.length - shown.length })}
            </button>
          </dd>
        </div>
      )}
      <div>
        <dt>{say('home.anything')}</dt>
        <dd>
          {fallback === null ? (
            <span className="caption">{say('home.nothing')}</span>
          ) : (
            <Go view={{ screen: 'editor', workflowId: fallback.workflowId }}>{fallback.name}</Go>
          )}
        </dd>
      </div>
    </dl>
  );
}
