// What an empty inbox says, with the button of the next step.
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { inboxWords } from './inbox-words.ts';

interface NoConversationsProps {
  readonly text: string;
  readonly whose: string;
  readonly onText: (text: string) => void;
  readonly onWhose: (whose: string) => void;
}

/** Nothing matches, nothing is theirs, or nobody has asked for a person yet: then a bot is connected. */
export function NoConversations({ text, whose, onText, onWhose }: NoConversationsProps) {
  const { go, can, hasScreens } = useStudio();
  const say = usePartWords(inboxWords);
  const next =
    text !== ''
      ? { about: say('inbox.noneFound', { text }), word: say('inbox.clear'), act: () => onText('') }
      : whose !== 'all'
        ? { about: say('inbox.none'), word: say('inbox.showAll'), act: () => onWhose('all') }
        : {
            about: say('inbox.empty'),
            word: hasScreens && can('operate') ? say('inbox.connect') : undefined,
            act: () => go({ screen: 'settings', section: 'bots' }),
          };
  return (
    <div className="empty-list">
      <p className="quiet-text">{next.about}</p>
      {next.word !== undefined && (
        <button type="button" onClick={next.act}>
          {next.word}
        </button>
      )}
    </div>
  );
}
