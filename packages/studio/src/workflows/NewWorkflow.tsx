// How a new workflow begins: by its name, with a canvas to choose, or from the examples.
import { type CanvasJson, shownText } from '../canvas/canvas-json.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { useStudio } from '../studio-context.ts';
import { exampleCanvases } from './example-canvases.ts';

/** What a workflow can begin with: a canvas, for who may make one, or an example that can be tried before. */
export function Beginnings({ onChoose }: { readonly onChoose: ((canvas: CanvasJson) => void) | undefined }) {
  return (
    <>
      {onChoose !== undefined && <ExampleCards onChoose={onChoose} />}
      <AllExamples />
    </>
  );
}

const spanish: { readonly [id: string]: readonly [name: string, about: string] } = {
  greeting: ['Saludo', 'Pregunta el nombre y saluda'],
  menu: ['Menú', 'Tres opciones, cada una con su respuesta'],
  'order-ready': ['Pedido listo', 'Otro sistema llama, y el usuario recibe un mensaje'],
};

/** Canvases to begin with, one of which is chosen. */
function ExampleCards({ onChoose }: { readonly onChoose: (canvas: CanvasJson) => void }) {
  const isSpanish = useLanguage().locale.startsWith('es');
  return (
    <div className="examples">
      {exampleCanvases.map((canvas) => (
        <button key={canvas.id} type="button" className="example" onClick={() => onChoose(canvas)}>
          <b>{(isSpanish && spanish[canvas.id]?.[0]) || canvas.name}</b>
          <span className="caption">{(isSpanish && spanish[canvas.id]?.[1]) || shownText(canvas['description'] ?? '')}</span>
        </button>
      ))}
    </div>
  );
}

/** Leads to the examples that can be tried before they are chosen. */
function AllExamples() {
  const { go } = useStudio();
  const say = useWords();
  return (
    <button type="button" className="link" onClick={() => go({ screen: 'gallery' })}>
      {say('workflows.examples')}
    </button>
  );
}
