import { type ReactNode, useState } from 'react';
import { useStudio, type View } from '../studio-context.ts';
import { type InboxPlace, InboxScreen } from './InboxScreen.tsx';

/** The inbox as a screen of the studio: its place is in the address. */
export function InboxView({
  view: { screen: _screen, ...place },
  session,
}: {
  readonly view: Extract<View, { readonly screen: 'inbox' }>;
  readonly session?: ReactNode;
}) {
  const { go, hrefOf } = useStudio();
  return (
    <InboxScreen
      {...place}
      session={session}
      onPlace={(next, how) => go({ screen: 'inbox', ...next }, how)}
      hrefOf={(next) => hrefOf({ screen: 'inbox', ...next })}
    />
  );
}

/** The inbox alone: its place is its own. */
export function InboxBody({ conversationId }: { readonly conversationId?: string }) {
  const [place, setPlace] = useState<InboxPlace>(conversationId === undefined ? {} : { conversationId });
  return <InboxScreen {...place} onPlace={setPlace} hrefOf={() => '#'} />;
}
