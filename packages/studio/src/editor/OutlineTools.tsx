import { Copy, CornerDownRight, Pencil, Plus, Scissors, Trash2 } from 'lucide-react';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import type { RowActs } from './outline-acts.ts';

/** What can be done at the current row of the outline, as buttons. */
export function OutlineTools({ acts, onUsed }: { readonly acts: RowActs; readonly onUsed: () => void }) {
  const say = useWords();
  const tools = [
    { word: 'outline.open', act: acts.show, Icon: Pencil },
    { word: 'outline.lead', act: acts.lead, Icon: CornerDownRight },
    { word: 'outline.insert', act: acts.insert, Icon: Plus },
    { word: 'outline.cut', act: acts.cut, Icon: Scissors },
    { word: 'node.duplicate', act: acts.duplicate, Icon: Copy },
    { word: 'node.delete', act: acts.remove, Icon: Trash2 },
  ] as const;
  return (
    <div className="outline-tools" role="toolbar" aria-label={say('outline.tools')} onClick={onUsed}>
      {tools.map(({ word, act, Icon }) => (
        <IconButton key={word} label={say(word)} disabled={act === undefined} onClick={() => act?.()}>
          <Icon size={15} aria-hidden />
        </IconButton>
      ))}
    </div>
  );
}
