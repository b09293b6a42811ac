// The way to every screen of a company, beside each of them: a rail at the left, below 900 pixels a bar of four at the foot.
import {
  Activity,
  CircleUser,
  ContactRound,
  Ellipsis,
  FileText,
  House,
  ListChecks,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  ScrollText,
  Settings,
  Workflow,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { onPlainClick } from '../parts/Go.tsx';
import { Menu } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hasCanvas, railClass, useStudio, type View, type Waiting, waitingEvent } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { railWords } from './rail-words.ts';

type Item = { readonly name: keyof (typeof railWords)['en']; readonly view: View; readonly icon: LucideIcon; readonly badge?: number };

interface RailProps {
  /** The screen that is shown. */
  readonly view: View;
  /** Whether there is room for a bar alone. */
  readonly isNarrow: boolean;
  /** Who works here, in which company and language. */
  readonly session: ReactNode;
}

/** So many have a place in the bar; the others are behind it. */
const mostInBar = 4;

export function Rail({ view, isNarrow, session }: RailProps) {
  const { can } = useStudio();
  const say = usePartWords(railWords);
  const waiting = useWaiting();
  const items: readonly Item[] = [
    { name: 'rail.home', view: { screen: 'home' }, icon: House },
    ...(can('answer') ? [{ name: 'rail.inbox', view: { screen: 'inbox' }, icon: MessagesSquare, badge: waiting } as const] : []),
    { name: 'rail.workflows', view: { screen: 'workflows' }, icon: Workflow },
    { name: 'rail.executions', view: { screen: 'executions' }, icon: Activity },
    ...(can('operate')
      ? ([
          { name: 'rail.contacts', view: { screen: 'settings', section: 'contacts' }, icon: ContactRound },
          { name: 'rail.campaigns', view: { screen: 'settings', section: 'campaigns' }, icon: Megaphone },
          { name: 'rail.templates', view: { screen: 'settings', section: 'templates' }, icon: FileText },
          { name: 'rail.settings', view: { screen: 'settings', section: 'bots' }, icon: Settings },
        ] as const)
      : []),
    { name: 'rail.jobs', view: { screen: 'jobs' }, icon: ListChecks },
    ...(can('operate') ? [{ name: 'rail.audit', view: { screen: 'audit' }, icon: ScrollText } as const] : []),
  ];
  const here = items.filter((item) => isAt(view, item.view)).at(-1)?.name;
  const link = (item: Item) => <RailLink key={item.name} item={item} isHere={item.name === here} />;
  const [Icon, more] = isNarrow ? [Ellipsis, say('rail.more')] : [CircleUser, say('rail.account')];
  return (
    <nav className={railClass(view, isNarrow)} aria-label={say('rail.title')}>
      {(isNarrow ? items.slice(0, mostInBar) : items).map(link)}
      <Menu
        className="rail-menu"
        label={more}
        sign={
          <>
            <Icon size={18} aria-hidden />
            <span className="rail-name">{more}</span>
          </>
        }
      >
        {isNarrow && items.slice(mostInBar).map(link)}
        {session}
      </Menu>
    </nav>
  );
}

/** Whether a view is the one of an item, or below it. Contacts, campaigns and templates have items of their own. */
function isAt(view: View, item: View): boolean {
  const screen = hasCanvas(view) || view.screen === 'gallery' ? (view.screen === 'execution' ? 'executions' : 'workflows') : view.screen;
  if (screen !== item.screen) return false;
  if (item.screen !== 'settings' || view.screen !== 'settings') return true;
  return item.section === view.section || item.section === 'bots';
}

function RailLink({ item: { name, view, icon: Icon, badge = 0 }, isHere }: { readonly item: Item; readonly isHere: boolean }) {
  const { go, hrefOf } = useStudio();
  const say = usePartWords(railWords);
  return (
    <a
      href={hrefOf(view)}
      title={say(name)}
      {...(isHere && { 'aria-current': 'page' as const })}
      onClick={onPlainClick(({ currentTarget }) => {
        currentTarget.closest('details')?.removeAttribute('open');
        go(view);
      })}
    >
      <Icon size={18} aria-hidden />
      <span className="rail-name">{say(name)}</span>
      {badge > 0 && (
        <span className="rail-badge" aria-label={say('rail.waiting', { count: badge })}>
          {badge > 99 ? '99+' : badge}
        </span>
      )}
    </a>
  );
}

/** How many people wait for an answer; asked again twice a minute while the page is seen, without a stream that other tabs lack then, and told by the inbox. */
function useWaiting(): number {
  const { client, companyId, can } = useStudio();
  const mayAnswer = can('answer');
  const [round, setRound] = useState(0);
  const { value } = useLoaded(mayAnswer ? `waiting/${companyId}/${round}` : 'waits for others', async () =>
    mayAnswer ? (await client.inbox(companyId, { limit: 1 })).counts.waiting : 0,
  );
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (value !== undefined) setCount(value);
  }, [value]);
  useEffect(() => {
    const hear = (event: Event): void => {
      const { detail } = event as CustomEvent<Waiting>;
      if (detail.companyId === companyId) setCount(detail.count);
    };
    addEventListener(waitingEvent, hear);
    return () => removeEventListener(waitingEvent, hear);
  }, [companyId]);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setRound((before) => before + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return count;
}
