// The name of a new workflow: its dialog takes letters from the moment that its key was pressed.
import { useState } from 'react';
import { useWords } from '../words/words.tsx';

/** A form for the name of an empty workflow. */
export function NewForm({ onCreate }: { readonly onCreate: (name: string) => void }) {
  const say = useWords();
  const [name, setName] = useState('');
  return (
    <form
      className="keep"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onCreate(name.trim());
      }}
    >
      <input
        autoFocus
        aria-label={say('workflows.name')}
        placeholder={say('workflows.name')}
        maxLength={200}
        required
        value={name}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="primary">
        {say('workflows.blank')}
      </button>
    </form>
  );
}
