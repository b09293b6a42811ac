// What is said once a version is live: where it answers, and what is to be done next.
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { changeWords } from '../change/change-words.ts';
import { usePartWords } from '../words/part.ts';
import { useNames } from '../words/words.tsx';

interface PublishedProps {
  readonly workflowId: string;
  readonly version: number;
  /** Addresses of its webhook, by channel. */
  readonly webhooks: { readonly [channel: string]: string };
}

/** What can be done with a version that is live: talk to it, put its chat into a page, call its webhook, and watch it. */
export function Published({ workflowId, version, webhooks }: PublishedProps) {
  const { client, companyId, go, hasScreens } = useStudio();
  const say = usePartWords(changeWords);
  const channelWord = useNames('channel');
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const bots = references?.bots ?? [];
  return (
    <>
      <p role="status">{say('publish.done', { version })}</p>
      {bots.length > 0 && (
        <>
          <h3>{say('publish.answersOn')}</h3>
          <ul className="answers-on">
            {bots.map(({ id, name, channel }) => (
              <li key={id}>
                <span dir="auto">
                  {name} <span className="caption">{channelWord(channel)}</span>
                </span>
                {channel === 'web' && (
                  <span className="buttons">
                    <a href={client.serviceUrl(`/chat/${encodeURIComponent(id)}`)} target="_blank" rel="noreferrer">
                      {say('publish.openChat')}
                    </a>
                    <CopyButton
                      label={say('publish.embed')}
                      text={`<script src="${client.serviceUrl('/chat.js')}" data-bot="${id}" defer></script>`}
                    />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {Object.entries(webhooks).map(([channel, url]) => (
        <p key={channel} className="webhook">
          {say('publish.address', { channel })} <code>{url}</code> <CopyButton label={say('publish.copy')} text={url} />
        </p>
      ))}
      {hasScreens && (
        <p>
          <button type="button" onClick={() => go({ screen: 'executions', workflowId })}>
            {say('publish.watch')}
          </button>
        </p>
      )}
    </>
  );
}

function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const say = usePartWords(changeWords);
  const [isCopied, setCopied] = useState(false);
  return (
    <button type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      <Copy size={13} aria-hidden /> {isCopied ? say('publish.copied') : label}
    </button>
  );
}
