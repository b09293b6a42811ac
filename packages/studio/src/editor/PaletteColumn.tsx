import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import { Palette } from './Palette.tsx';

/** The palette beside the canvas, which its author can fold. */
export function PaletteColumn({ kind, onAdd }: { readonly kind: string; readonly onAdd: (type: string) => void }) {
  const say = useWords();
  const [isOpen, setOpen] = useState(true);
  const Icon = isOpen ? PanelLeftClose : PanelLeftOpen;
  return (
    <aside className={`palette${isOpen ? '' : ' folded'}`} aria-label={say('palette.title')}>
      <IconButton label={say(isOpen ? 'palette.fold' : 'palette.unfold')} expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon size={16} aria-hidden />
      </IconButton>
      {isOpen && <Palette kind={kind} onAdd={onAdd} />}
    </aside>
  );
}
