// The text of a problem in the language of the reader: the engine says it in English, and only who reads Spanish loads the Spanish texts.
import { useEffect, useState } from 'react';
import type * as Spanish from './problem-words-es.ts';
import { useLanguage } from './words.tsx';

type Said = ReturnType<typeof Spanish.inSpanish>;

const asTold = ({ message, hint }: Spanish.Told): Said => ({ message, hint });

/** The Spanish texts for who reads Spanish, once they are there. */
function useSpanish(): typeof Spanish | undefined {
  const isSpanish = useLanguage().locale.startsWith('es');
  const [spanish, setSpanish] = useState<typeof Spanish>();
  useEffect(() => {
    if (isSpanish) void import('./problem-words-es.ts').then(setSpanish);
  }, [isSpanish]);
  return isSpanish ? spanish : undefined;
}

/** The text of a problem in the language of the reader; in English until the Spanish texts are there. */
export function useProblemText(): (problem: Spanish.Told) => Said {
  return useSpanish()?.inSpanish ?? asTold;
}

const asItIs = (label: string): string => label;

/** What the engine says of a failure, in the language of the reader. */
export const useDetailText = (): ((message: string) => string) => useSpanish()?.detailOf ?? asItIs;

/** What a fix is called in the language of the reader. */
export const useFixText = (): ((label: string) => string) => useSpanish()?.fixInSpanish ?? asItIs;
