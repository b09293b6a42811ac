// What a model may answer in a test, in English and Spanish.
import type { PartWords } from '../words/part.ts';

const en = {
  'model.tool': 'Calls {name}',
  'model.exit': 'Ends with {name}',
  'model.refuse': 'Refuses',
  'model.fail': 'Does not answer',
  'model.says': 'What the model says',
};

const es: { readonly [Key in keyof typeof en]: string } = {
  'model.tool': 'Llama a {name}',
  'model.exit': 'Termina con {name}',
  'model.refuse': 'Se niega',
  'model.fail': 'No responde',
  'model.says': 'Lo que dice el modelo',
};

export const modelWords: PartWords<keyof typeof en> = { en, es };
