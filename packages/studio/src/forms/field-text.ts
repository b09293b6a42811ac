/** What people read beside a field: from the texts of its node in their language, else made from its schema. */
import type { FieldTexts } from '@hilo/engine/contract';

export interface FieldWords {
  readonly label: string;
  readonly help?: string;
  readonly example?: string;
}

/**
 * The text of a field, or of one of its values as `mode=park`: by the longest end of its dotted name that has one. What is not said in a
 * language is said in English.
 */
export function fieldText(texts: FieldTexts, at: string, locale: string): FieldWords | undefined {
  const language = locale.slice(0, 2);
  for (let end = at; ; end = end.slice(end.indexOf('.') + 1)) {
    const said = Object.hasOwn(texts, end) ? texts[end] : undefined;
    const text = said?.[language] ?? said?.['en'];
    if (text !== undefined) return typeof text === 'string' ? { label: text } : text;
    if (!end.includes('.')) return undefined;
  }
}
