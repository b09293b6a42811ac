import { Save } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../words/words.tsx';
import { testName } from './test-name.ts';

/** The form that keeps a conversation as a test of its workflow. */
export function KeepForm({ onKeep }: { readonly onKeep: (name: string) => void }) {
  const say = useWords();
  const [name, setName] = useState('');
  return (
    <form
      className="keep"
      onSubmit={(event) => {
        event.preventDefault();
        if (testName(name) === '') return;
        onKeep(testName(name));
        setName('');
      }}
    >
      <input
        aria-label={say('tester.keepName')}
        placeholder={say('tester.keepName')}
        value={name}
        required
        maxLength={100}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit">
        <Save size={13} aria-hidden /> {say('tester.keep')}
      </button>
    </form>
  );
}
