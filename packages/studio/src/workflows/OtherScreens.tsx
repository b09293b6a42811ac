import { Activity, House, MessagesSquare } from 'lucide-react';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';

/** Leads from the workflows of a company to its other screens. In the head of the page: beside the filters there is no room for it. */
export function OtherScreens() {
  const { go, can } = useStudio();
  const say = useWords();
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
    </>
  );
}
