// The text of a problem in the language of the reader: the engine says it in English, and only who reads Spanish loads the Spanish texts.
import { useEffect, useState } from 'react';
import type * as Spanish from './problem-words-es.ts';
import { useLanguage } from './words.tsx';

type Said = ReturnType<typeof Spanish.inSpanish>;

const asTold = ({ message, hint }: Spanish.Told): Said => ({ message, hint });

/** The text of a problem in the language of the reader; in English until the Spanish texts are there. */
export function useProblemText(): (problem: Spanish.Told) => Said {
  const { locale } = useLanguage();
  const isSpanish = locale.startsWith('es');
  const [spanish, setSpanish] = useState<typeof Spanish>();
  useEffect(() => {
    if (isSpanish) void import('./problem-words-es.ts').then(setSpanish);
  }, [isSpanish]);
  return isSpanish ? (spanish?.inSpanish ?? asTold) : asTold;
}
