/** How the texts of fields are written down: each in all languages of the studio, so that none is forgotten. */
import type { FieldText, FieldTexts } from '@hilo/engine/contract';

export const say = (en: FieldText, es: FieldText): FieldTexts[string] => ({ en, es });

/** A label with a line of help. */
export const help = (label: string, line: string, example?: string): FieldText => ({
  label,
  help: line,
  ...(example !== undefined && { example }),
});
