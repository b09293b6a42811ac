// The open conversations of the inbox, by waiting time, with what is unread.
import type { KeyboardEvent, ReactNode } from 'react';
import { type InboxConversation, isOfApp } from '../api/inbox-calls.ts';
import { onPlainClick } from '../parts/Go.tsx';
import { Loading } from '../parts/parts.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { usePartWords } from '../words/part.ts';
import { shortTime, useNames } from '../words/words.tsx';
import { inboxWords, typeWord } from './inbox-words.ts';
import type { useInboxList } from './use-inbox.ts';

interface InboxListProps {
  readonly list: ReturnType<typeof useInboxList>;
  /** Shown where there is none. */
  readonly empty: ReactNode;
  readonly nowMs: number;
  readonly open: string | undefined;
  readonly hrefOf: (conversationId: string) => string;
  readonly onOpen: (conversationId: string) => void;
}

/** The arrow keys go from one conversation to the next. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  links[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]?.focus();
}

/** Conversations, who has waited longest first. */
export function InboxList({ list: { value, error, reload, showMore }, empty, nowMs, open, hrefOf, onOpen }: InboxListProps) {
  const say = usePartWords(inboxWords);
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  if (value.results.length === 0) return empty;
  return (
    <ul className="inbox-list" onKeyDown={onKeyDown}>
      {value.results.map((one) => (
        <li key={one._id}>
          <a href={hrefOf(one._id)} aria-current={one._id === open ? 'true' : undefined} onClick={onPlainClick(() => onOpen(one._id))}>
            <Row conversation={one} nowMs={nowMs} />
          </a>
        </li>
      ))}
      {value.hasMore && (
        <li>
          <button type="button" onClick={showMore}>
            {say('inbox.more')}
          </button>
        </li>
      )}
    </ul>
  );
}

function Row({ conversation, nowMs }: { readonly conversation: InboxConversation; readonly nowMs: number }) {
  const say = usePartWords(inboxWords);
  const channelWord = useNames('channel');
  const personName = usePersonName();
  const { user, operator, channel, unread, waitingSince, lastMessage } = conversation;
  const said = lastMessage?.text ?? '';
  const line = said === '' ? (lastMessage === null ? say('inbox.nothingSaid') : `[${typeWord(say, lastMessage.type)}]`) : said;
  return (
    <>
      <span className="inbox-row">
        <b dir="auto">{personName(user.names, user.id)}</b>
        {unread > 0 && (
          <span className="inbox-unread">
            <span aria-hidden>{unread}</span>
            <span className="visually-hidden">{say('inbox.unread', { count: unread })}</span>
          </span>
        )}
        <span className="spring" />
        {waitingSince !== null && (
          <span className="warn">{say('inbox.waits', { time: shortTime(Math.max(1_000, nowMs - Date.parse(waitingSince))) })}</span>
        )}
      </span>
      <span className="inbox-line" dir="auto">
        {lastMessage?.by === 'operator' ? say('inbox.answered', { text: line }) : line}
      </span>
      <span className="caption">
        {channel === null ? '' : channelWord(channel)} ·{' '}
        {operator?.names ?? say(isOfApp(conversation) ? 'inbox.inApp' : 'inbox.unassigned')}
      </span>
    </>
  );
}
