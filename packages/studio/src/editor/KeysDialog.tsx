import { Dialog } from '../parts/parts.tsx';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { type KeysWord, keysWords } from './keys-words.ts';

/** Each key of the editor, with what it does. */
const keys: readonly (readonly [string, KeysWord])[] = [
  ['← → ↑ ↓', 'keys.arrows'],
  ['Enter, F2', 'keys.open'],
  ['C, Tab', 'keys.connect'],
  ['Alt + ← → ↑ ↓', 'keys.move'],
  ['Alt Shift + ← → ↑ ↓', 'keys.resize'],
  ['/', 'keys.palette'],
  ['Ctrl K', 'keys.search'],
  ['O', 'keys.outline'],
  ['C, I, Shift Delete', 'keys.inOutline'],
  ['T', 'keys.test'],
  ['P', 'keys.problems'],
  ['Ctrl Z, Ctrl Y', 'keys.undo'],
  ['Ctrl C, X, V, D', 'keys.copy'],
  ['Ctrl A', 'keys.all'],
  ['Delete', 'keys.delete'],
  ['Ctrl S', 'keys.save'],
  ['Esc', 'keys.escape'],
  ['?', 'keys.help'],
];

/** All keys of the editor. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const say = useWords();
  const words = usePartWords(keysWords);
  return (
    <Dialog title={say('keys.title')} onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words(what)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
