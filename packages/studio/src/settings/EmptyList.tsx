// What an empty list of the settings says: what is kept there, and the button that adds the first.
import { Plus } from 'lucide-react';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import type { ListedKind } from './kinds.ts';
import { settingsWords } from './settings-words.ts';

export function EmptyList({ section }: { readonly section: ListedKind | 'contacts' | 'campaigns' }) {
  const { go, can } = useStudio();
  const say = usePartWords(settingsWords);
  return (
    <div className="empty-list">
      <p className="quiet-text">{say(`settings.none.${section}`)}</p>
      {can('operate') && (
        <button type="button" onClick={() => go({ screen: 'settings', section, recordId: '+' })}>
          <Plus size={14} aria-hidden /> {say(`settings.first.${section}`)}
        </button>
      )}
    </div>
  );
}
