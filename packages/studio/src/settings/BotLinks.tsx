// What a bot that is connected needs next: whether it works, the address for its provider, and the code for a page.
import { useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { Copied } from './Copied.tsx';
import { FailedMessages } from './FailedMessages.tsx';
import { settingsWords } from './settings-words.ts';

type Check = Awaited<ReturnType<Operations['checkBot']>>;

export function BotLinks({ botId, channel }: { readonly botId: string; readonly channel: string }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(settingsWords);
  const { isBusy, reason, act } = useAct();
  const [check, setCheck] = useState<Check>();
  const [showsFailed, setShowsFailed] = useState(false);
  const id = encodeURIComponent(botId);
  const embed = `<script src="${client.serviceUrl('/chat.js')}" data-bot="${botId}" defer></script>`;
  return (
    <section className="bot-links">
      <button
        type="button"
        disabled={isBusy}
        onClick={() => act(async () => setCheck(await (await client.operations()).checkBot({ path: { botId }, query: { companyId } })))}
      >
        {say('settings.check')}
      </button>
      <Refused reason={reason} />
      {check !== undefined && (
        <p role="status">
          <b className={check.isWorking === false ? 'bad' : check.isWorking === true ? 'good' : ''}>
            {say(check.isWorking === null ? 'settings.unchecked' : check.isWorking ? 'settings.works' : 'settings.fails')}
          </b>{' '}
          <span dir="auto">{check.message}</span>
        </p>
      )}
      {channel === 'web' ? (
        <>
          <Copied label={say('settings.embed')} text={embed} />
          <Preview address={client.serviceUrl(`/chat/${id}`)} />
        </>
      ) : (
        <Copied label={say('settings.webhook')} text={client.serviceUrl(`/channels/${id}/webhook`)} />
      )}
      <p className="buttons">
        <button type="button" aria-expanded={showsFailed} onClick={() => setShowsFailed(!showsFailed)}>
          {say('failed.title')}
        </button>
      </p>
      {showsFailed && <FailedMessages botId={botId} />}
    </section>
  );
}

/** The chat as visitors see it; beside a service at another address, whose page no other page may frame, a link alone. */
function Preview({ address }: { readonly address: string }) {
  const say = usePartWords(settingsWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="buttons">
        {new URL(address).origin === location.origin && (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {say('settings.preview')}
          </button>
        )}
        <a href={address} target="_blank" rel="noreferrer">
          {say('settings.openChat')}
        </a>
      </p>
      {isOpen && <iframe className="chat-preview" src={address} title={say('settings.preview')} />}
    </>
  );
}
