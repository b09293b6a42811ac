// The bar of selected nodes.
import {
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Copy,
  Frame,
  Pin,
  Trash2,
} from 'lucide-react';
import { alignCards } from '../canvas/align.ts';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import type { Editing } from './editing.ts';

const alignments = [
  ['left', AlignStartVertical],
  ['top', AlignStartHorizontal],
  ['across', AlignHorizontalDistributeCenter],
  ['down', AlignVerticalDistributeCenter],
] as const;

/** What can be done with several nodes at once. */
export function SelectionBar({ selected, editing }: { readonly selected: ReadonlySet<string>; readonly editing: Editing }) {
  const say = useWords();
  const label = say('selection.title', { count: selected.size });
  return (
    <div className="selection-bar" role="toolbar" aria-label={label}>
      <span className="caption">{label}</span>
      {alignments.map(([how, Icon]) => (
        <IconButton
          key={how}
          label={say(`selection.${how}`)}
          disabled={(how === 'across' || how === 'down') && selected.size < 3}
          onClick={() => editing.align((cards) => alignCards(cards, how))}
        >
          <Icon size={16} aria-hidden />
        </IconButton>
      ))}
      <IconButton label={say('selection.frame')} onClick={editing.frame}>
        <Frame size={16} aria-hidden />
      </IconButton>
      <IconButton label={say('node.pin')} onClick={() => editing.pin(selected)}>
        <Pin size={16} aria-hidden />
      </IconButton>
      <IconButton label={say('node.duplicate')} onClick={() => editing.duplicate(selected)}>
        <Copy size={16} aria-hidden />
      </IconButton>
      <IconButton label={say('node.delete')} onClick={editing.deleteSelected}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
