import { useState } from 'react';
import { type CanvasJson, shownText } from '../canvas/canvas-json.ts';
import { useWords } from '../words/words.tsx';
import { useStudio } from '../studio-context.ts';
import { exampleCanvases } from './example-canvases.ts';

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

/** Canvases to begin with, one of which is chosen. */
export function ExampleCards({ onChoose }: { readonly onChoose: (canvas: CanvasJson) => void }) {
  return (
    <div className="examples">
      {exampleCanvases.map((canvas) => (
        <button key={canvas.id} type="button" className="example" onClick={() => onChoose(canvas)}>
          <b>{canvas.name}</b>
          <span className="caption">{shownText(canvas['description'] ?? '')}</span>
        </button>
      ))}
    </div>
  );
}

/** Leads to the examples that can be tried before they are chosen. */
export function AllExamples() {
  const { go } = useStudio();
  const say = useWords();
  return (
    <button type="button" className="link" onClick={() => go({ screen: 'gallery' })}>
      {say('workflows.examples')}
    </button>
  );
}
