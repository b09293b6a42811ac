import { Activity, House, ListChecks, MessagesSquare, ScrollText, Settings } from 'lucide-react';
import { IconButton } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';

/** Leads from the workflows of a company to its other screens. In the head of the page: beside the filters there is no room for it. */
export function OtherScreens() {
  const { go, can, hasRail } = useStudio();
  const say = useWords();
  if (hasRail) return null;
  return (
    <>
      <button type="button" onClick={() => go({ screen: 'home' })}>
        <House size={15} aria-hidden /> {say('app.home')}
      </button>
      {can('answer') && (
        <button type="button" onClick={() => go({ screen: 'inbox' })}>
          <MessagesSquare size={15} aria-hidden /> {say('app.inbox')}
        </button>
      )}
      <button type="button" onClick={() => go({ screen: 'executions' })}>
        <Activity size={15} aria-hidden /> {say('executions.title')}
      </button>
      <IconButton label={say('app.jobs')} onClick={() => go({ screen: 'jobs' })}>
        <ListChecks size={16} aria-hidden />
      </IconButton>
      {can('operate') && (
        <IconButton label={say('app.settings')} onClick={() => go({ screen: 'settings', section: 'bots' })}>
          <Settings size={16} aria-hidden />
        </IconButton>
      )}
      {can('operate') && (
        <IconButton label={say('app.audit')} onClick={() => go({ screen: 'audit' })}>
          <ScrollText size={16} aria-hidden />
        </IconButton>
      )}
    </>
  );
}
