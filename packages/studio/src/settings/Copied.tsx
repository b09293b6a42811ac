// A text that is taken somewhere else, with a button that copies it.
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { usePartWords } from '../words/part.ts';
import { settingsWords } from './settings-words.ts';

export function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const say = usePartWords(settingsWords);
  const [isCopied, setCopied] = useState(false);
  return (
    <p className="copied">
      {label} <code>{text}</code>{' '}
      <button type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
        <Copy size={13} aria-hidden /> {say(isCopied ? 'settings.copied' : 'settings.copy')}
      </button>
    </p>
  );
}
