// The inbox: filters, the list of conversations, and the one that is open.
import { ArrowLeft } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { LoginForm, SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { Dialog, IconButton, Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { ConversationPane } from './ConversationPane.tsx';
import { InboxFilters } from './InboxFilters.tsx';
import { InboxList } from './InboxList.tsx';
import { inboxWords } from './inbox-words.ts';
import { NoConversations } from './NoConversations.tsx';
import { useInboxChanges, useInboxList, useNow, useOperator } from './use-inbox.ts';

/** Where in the inbox somebody is. */
export interface InboxPlace {
  readonly conversationId?: string;
  readonly whose?: string;
  readonly q?: string;
}

interface InboxScreenProps extends InboxPlace {
  readonly onPlace: (place: InboxPlace, how?: { readonly replace?: boolean }) => void;
  readonly hrefOf: (place: InboxPlace) => string;
  readonly session?: ReactNode;
}

/** Open conversations and the one that is answered. */
export function InboxScreen({ conversationId, whose: asked, q = '', onPlace, hrefOf, session }: InboxScreenProps) {
  const { client, companyId, hasScreens, can, go } = useStudio();
  const say = useWords();
  const sayInbox = usePartWords(inboxWords);
  const { value: people, error, reload: readPeople, isSignedOut } = useLoaded(`people/${companyId}`, () => client.inboxPeople(companyId));
  const [me, setMe] = useOperator(people?.operatorId);
  const whose = asked ?? (me === undefined ? 'all' : 'mine');
  const list = useInboxList(whose, q, me);
  const [changes, setChanges] = useState(0);
  const [isLoggedOut, setLoggedOut] = useState(false);
  const nowMs = useNow();
  const search = useRef<HTMLInputElement>(null);
  useInboxChanges(() => {
    list.reload();
    setChanges((before) => before + 1);
  });
  const place = (changed: InboxPlace, how?: { readonly replace?: boolean }): void => {
    const next = { conversationId, whose: asked, q, ...changed };
    onPlace(
      {
        ...(next.conversationId !== undefined && { conversationId: next.conversationId }),
        ...(next.whose !== undefined && { whose: next.whose }),
        ...(next.q !== undefined && next.q !== '' && { q: next.q }),
      },
      how,
    );
  };
  const { conversationId: _open, ...filter } = { conversationId, ...(asked !== undefined && { whose: asked }), ...(q !== '' && { q }) };
  if (isSignedOut) return <SignedOut onSignedIn={readPeople} />;
  if (people === undefined) return <Loading error={error} onRetry={readPeople} />;
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest('input, select, textarea, dialog') !== null || event.key !== '/') return;
    event.preventDefault();
    search.current?.focus();
  };
  return (
    <main className={conversationId === undefined ? 'inbox' : 'inbox is-open'} onKeyDown={onKeyDown}>
      <header className="top-bar">
        {hasScreens && can('view') && (
          <IconButton label={say('editor.back')} onClick={() => go({ screen: 'workflows' })}>
            <ArrowLeft size={18} aria-hidden />
          </IconButton>
        )}
        <h1>{sayInbox('inbox.title')}</h1>
        <span className="caption" role="status">
          {list.value?.counts !== undefined && sayInbox('inbox.waiting', { count: list.value.counts.waiting })}
        </span>
        <span className="spring" />
        <ModeButton />
        {session}
      </header>
      <section className="inbox-side" aria-label={sayInbox('inbox.list')}>
        <InboxFilters
          whose={whose}
          people={people}
          counts={list.value?.counts}
          me={me}
          search={search}
          text={q}
          onMe={setMe}
          onWhose={(chosen) => place({ whose: chosen })}
          onText={(text) => place({ q: text }, { replace: true })}
        />
        <InboxList
          list={list}
          empty={
            <NoConversations
              text={q}
              whose={whose}
              onText={(text) => place({ q: text }, { replace: true })}
              onWhose={(chosen) => place({ whose: chosen })}
            />
          }
          nowMs={nowMs}
          open={conversationId}
          hrefOf={(id) => hrefOf({ ...filter, conversationId: id })}
          onOpen={(id) => place({ conversationId: id })}
        />
      </section>
      {conversationId === undefined ? (
        <p className="inbox-nothing quiet-text">{sayInbox('inbox.choose')}</p>
      ) : (
        <ConversationPane
          key={conversationId}
          conversationId={conversationId}
          people={people}
          me={me}
          changes={changes}
          onChanged={list.reload}
          onOpen={(id) => place({ conversationId: id })}
          onBack={() => onPlace(filter)}
          onLoggedOut={() => setLoggedOut(true)}
        />
      )}
      {isLoggedOut && (
        <Dialog title={sayInbox('inbox.signIn')}>
          <LoginForm
            onSignedIn={() => {
              setLoggedOut(false);
              list.reload();
              setChanges((before) => before + 1);
            }}
          />
        </Dialog>
      )}
    </main>
  );
}
