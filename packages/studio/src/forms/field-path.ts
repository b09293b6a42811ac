// Where a field of a canvas is, in the words of its author.
import { useStudio } from '../studio-context.ts';
import { useLanguage } from '../words/words.tsx';
import { fieldText } from './field-text.ts';

const isIndex = (step: string): boolean => /^\d{1,9}$/.test(step);

/** The labels on the way to a field of a node of a type, from its steps below `data`: `Message › Buttons › 2 › Title`. */
export function useFieldPath(): (type: string | undefined, steps: readonly string[]) => string {
  const { catalogue } = useStudio();
  const { locale } = useLanguage();
  return (type = '', steps) => {
    const texts = catalogue.get(type)?.fields ?? {};
    return steps
      .map((step, index) =>
        isIndex(step) ? String(Number(step) + 1) : (fieldText(texts, steps.slice(0, index + 1).join('.'), locale)?.label ?? step),
      )
      .join(' › ');
  };
}
