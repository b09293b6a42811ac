// One conversation of the inbox: what was said, what the bot knew, and the answer of a person.
import { ArrowLeft } from 'lucide-react';
import type { JsonObject } from '@hilo/engine/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { Assignee, InboxDetails, InboxMessage, InboxPeople } from '../api/inbox-calls.ts';
import { IconButton, Loading, Missing } from '../parts/parts.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { useReason } from '../words/reason.ts';
import { useNames } from '../words/words.tsx';
import { Composer } from './Composer.tsx';
import { ConversationDetails } from './ConversationDetails.tsx';
import { inboxWords } from './inbox-words.ts';
import { MessageView } from './MessageView.tsx';
import { useMessages } from './use-inbox.ts';

interface ConversationPaneProps {
  readonly conversationId: string;
  readonly people: InboxPeople;
  /** The operator who answers here. */
  readonly me: number | undefined;
  /** Counts the changes of the inbox: after each, what is shown is read again. */
  readonly changes: number;
  /** Told after each act and mark. */
  readonly onChanged: () => void;
  readonly onOpen: (conversationId: string) => void;
  readonly onBack: () => void;
  readonly onLoggedOut: () => void;
}

/** A conversation: what was said, the answer that is typed, and what is known of the person. */
export function ConversationPane({ conversationId, people, me, changes, onChanged, onOpen, onBack, onLoggedOut }: ConversationPaneProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(inboxWords);
  const reasonOf = useReason();
  const personName = usePersonName();
  const [reason, setReason] = useState<string>();
  const details = useLoaded(`conversation/${companyId}/${conversationId}`, () => client.inboxConversation(companyId, conversationId));
  const talk = useMessages(conversationId);
  const { value } = details;
  useEffect(() => {
    if (changes === 0) return;
    details.reload();
    talk.reload();
  }, [changes]);
  const lastAt = talk.value?.messages.at(-1)?.createdAt;
  const unread = value?.conversation.unread ?? 0;
  useEffect(() => {
    if (lastAt === undefined || unread === 0 || document.hidden) return;
    client.markInboxRead(companyId, conversationId, lastAt).then(onChanged, () => undefined); // the next change tries again
  }, [lastAt, unread]);

  /** Does something to the conversation, and shows what came of it. @returns whether it was done */
  const act = async (doIt: () => Promise<unknown>): Promise<boolean> => {
    setReason(undefined);
    try {
      await doIt();
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onLoggedOut();
      else setReason(reasonOf(error));
      return false;
    } finally {
      details.reload();
      talk.reload();
      onChanged();
    }
  };
  const sendFile = async (file: File, key: string): Promise<void> => {
    const { keepConversationFile } = await client.operations();
    // The service looks at the bytes; it takes no type of a page's that a form of another site could send.
    const headers = { 'x-filename': encodeURIComponent(file.name.toWellFormed()), 'content-type': 'application/octet-stream' };
    const kept = await keepConversationFile({ path: { conversationId }, query: { companyId }, headers, body: file });
    await client.answerConversation(companyId, conversationId, fileMessage(kept), key);
  };
  if (details.isMissing) return <Missing text={details.error ?? ''} onBack={onBack} />;
  if (value === undefined) return <Loading error={details.error} onRetry={details.reload} />;
  const { conversation } = value;
  const name = personName(conversation.user.names, conversation.user.id);
  return (
    <>
      <section className="inbox-talk" aria-label={name}>
        <header>
          <span className="inbox-back">
            <IconButton label={say('inbox.back')} onClick={onBack}>
              <ArrowLeft size={18} aria-hidden />
            </IconButton>
          </span>
          <h2 dir="auto">{name}</h2>
          <span className="spring" />
          {conversation.state === 'active' && (
            <Acts
              details={value}
              people={people}
              me={me}
              onAssign={(to) => void act(() => client.assignConversation(companyId, conversationId, to))}
              onEnd={(how, why) => void act(() => client.endConversation(companyId, conversationId, how, why))}
            />
          )}
        </header>
        {talk.value === undefined ? (
          <Loading error={talk.error} onRetry={talk.reload} />
        ) : (
          <Talk
            {...talk.value}
            onOlder={talk.showOlder}
            onAgain={(messageId) => void act(() => client.handInMessage(companyId, conversation.bot.id, messageId))}
          />
        )}
        {reason !== undefined && (
          <p role="alert" className="field-problem error">
            {reason}
          </p>
        )}
        {conversation.state === 'active' ? (
          <Composer
            details={value}
            me={me}
            onTake={() =>
              void act(async () => me !== undefined && client.assignConversation(companyId, conversationId, { operatorId: me }))
            }
            onSend={(text, key) => act(() => client.answerConversation(companyId, conversationId, { type: 'text', text }, key))}
            onFile={(file, key) => act(() => sendFile(file, key))}
            onTemplate={(template, key) => act(() => client.sendInboxTemplate(companyId, conversationId, template, key))}
          />
        ) : (
          <Ended
            details={value}
            me={me}
            onOpen={onOpen}
            onAgain={(operatorId) =>
              void act(async () => {
                const { bot, user } = conversation;
                onOpen((await client.openConversation(companyId, { botId: bot.id, userId: user.id, operatorId }))._id);
              })
            }
          />
        )}
      </section>
      <ConversationDetails
        details={value}
        people={people}
        onTags={(tags) => void act(() => client.setInboxTags(companyId, conversationId, tags))}
      />
    </>
  );
}

/** A message with a file that the service keeps, by the type of its content. */
function fileMessage({ id, name, type }: { readonly id: string; readonly name: string; readonly type: string }): JsonObject {
  const [family = ''] = type.split('/');
  return ['image', 'audio', 'video'].includes(family) ? { type: family, mediaUrl: id } : { type: 'file', mediaUrl: id, filename: name };
}

interface ActsProps {
  readonly details: InboxDetails;
  readonly people: InboxPeople;
  readonly me: number | undefined;
  readonly onAssign: (to: Assignee) => void;
  readonly onEnd: (how: 'close' | 'resolve', reason: string) => void;
}

/** Who answers from now on, and the end of it. */
function Acts({ details: { conversation, execution }, people, me, onAssign, onEnd }: ActsProps) {
  const say = usePartWords(inboxWords);
  const others = people.operators.filter(({ id }) => id !== conversation.operator?.id);
  return (
    <>
      {me !== undefined && conversation.operator?.id !== me && (
        <button type="button" onClick={() => onAssign({ operatorId: me })}>
          {say('inbox.take')}
        </button>
      )}
      <select
        aria-label={say('inbox.handTo')}
        value=""
        onChange={({ target }) => {
          const [kind, id] = target.value.split(':');
          onAssign(kind === 'team' ? { teamId: Number(id) } : { operatorId: Number(id) });
        }}
      >
        <option value="" disabled>
          {say('inbox.handTo')}
        </option>
        <optgroup label={say('inbox.people')}>
          {others.map(({ id, names }) => (
            <option key={id} value={`operator:${id}`}>
              {names}
            </option>
          ))}
        </optgroup>
        {people.teams.length > 0 && (
          <optgroup label={say('inbox.teams')}>
            {people.teams.map(({ id, name }) => (
              <option key={id} value={`team:${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      {execution !== null && (
        <button type="button" onClick={() => onEnd('close', 'given_back_to_bot')}>
          {say('inbox.giveBack')}
        </button>
      )}
      <button type="button" className="primary" onClick={() => onEnd('resolve', 'resolved_by_operator')}>
        {say('inbox.resolve')}
      </button>
    </>
  );
}

interface TalkProps {
  readonly messages: readonly InboxMessage[];
  readonly hasOlder: boolean;
  readonly onOlder: () => void;
  /** Hands a message in again that was set aside. */
  readonly onAgain: (messageId: string) => void;
}

/** What was said, the newest in view: somebody who has scrolled up to read is left there. */
function Talk({ messages, hasOlder, onOlder, onAgain }: TalkProps) {
  const say = usePartWords(inboxWords);
  const instant = useMoment();
  const causeWord = useNames('cause');
  const area = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = messages.at(-1)?.messageId;
  useLayoutEffect(() => {
    const box = area.current;
    if (box !== null && isAtEnd.current) box.scrollTop = box.scrollHeight;
  }, [last]);
  return (
    <div
      ref={area}
      className="inbox-messages"
      tabIndex={0}
      role="log"
      aria-label={say('inbox.list')}
      onScroll={({ currentTarget: box }) => {
        isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      }}
    >
      {hasOlder && (
        <button type="button" onClick={onOlder}>
          {say('inbox.older')}
        </button>
      )}
      {messages.length === 0 && <p className="quiet-text">{say('inbox.nothingSaid')}</p>}
      <ol>
        {messages.map(({ messageId, by, message, status, createdAt, cause }, index) => (
          <li key={`${by} ${messageId} ${createdAt}`} data-by={by}>
            <MessageView message={message} />
            <span className="caption">
              {say(`inbox.by.${by}`)} · <time dateTime={createdAt}>{instant(createdAt)}</time>
              {by !== 'user' && status === 'failed' && (
                <b className="bad"> · {say('inbox.failed', { reason: cause === null ? say('inbox.status.failed') : causeWord(cause) })}</b>
              )}
              {by === 'user' && cause === 'NOT_PROCESSABLE' && (
                <>
                  <b className="bad"> · {say('inbox.notProcessed')}</b>{' '}
                  {messages.findLastIndex((one) => one.by === 'user' && one.messageId === messageId) === index && (
                    <button type="button" onClick={() => onAgain(messageId)}>
                      {say('inbox.handIn')}
                    </button>
                  )}
                </>
              )}
              {by !== 'user' && isStatus(status) && status !== 'failed' && ` · ${say(`inbox.status.${status}`)}`}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
const isStatus = (status: string): status is (typeof statuses)[number] => statuses.some((known) => known === status);

/** How it ended, and how one goes on. */
function Ended({
  details: { conversation },
  me,
  onOpen,
  onAgain,
}: {
  readonly details: InboxDetails;
  readonly me: number | undefined;
  readonly onOpen: (conversationId: string) => void;
  readonly onAgain: (operatorId: number) => void;
}) {
  const say = usePartWords(inboxWords);
  const { state, childConversation } = conversation;
  const isKnown = (name: string): name is 'closed' | 'resolved' | 'expired' | 'transferred' =>
    ['closed', 'resolved', 'expired', 'transferred'].includes(name);
  return (
    <div className="inbox-composer" role="status">
      <p>{isKnown(state) ? say(`inbox.state.${state}`) : say('inbox.ended')}</p>
      <div className="buttons">
        {childConversation !== null && (
          <button type="button" onClick={() => onOpen(childConversation)}>
            {say('inbox.next')}
          </button>
        )}
        {me !== undefined && (
          <button type="button" onClick={() => onAgain(me)}>
            {say('inbox.again')}
          </button>
        )}
      </div>
    </div>
  );
}
