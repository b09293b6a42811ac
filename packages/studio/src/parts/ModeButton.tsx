import { Moon, Sun } from 'lucide-react';
import { createContext, useContext } from 'react';
import { useWords } from '../words/words.tsx';
import { IconButton } from './parts.tsx';

/** Light or dark mode, and how to change it; `undefined` when the host decides. */
export interface ModeChoice {
  /** `undefined`: the system's. */
  readonly mode: 'light' | 'dark' | undefined;
  readonly choose: (mode: 'light' | 'dark') => void;
}

export const ModeContext = createContext<ModeChoice | undefined>(undefined);

/** Stands at the head of every screen, so that it covers nothing. */
export function ModeButton() {
  const say = useWords();
  const choice = useContext(ModeContext);
  if (choice === undefined) return null;
  const isDark = (choice.mode ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  return (
    <IconButton label={say(isDark ? 'app.light' : 'app.dark')} onClick={() => choice.choose(isDark ? 'light' : 'dark')}>
      {isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
    </IconButton>
  );
}
