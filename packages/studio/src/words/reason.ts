// Why an act was refused, in the language of the reader: the service says it in English, and only who reads Spanish loads the Spanish table.
import { useEffect, useState } from 'react';
import type * as Spanish from './refusals-es.ts';
import { useLanguage } from './words.tsx';

const asTold = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The reason of anything thrown; in English until the Spanish table is there. */
export function useReason(): (error: unknown) => string {
  const isSpanish = useLanguage().locale.startsWith('es');
  const [spanish, setSpanish] = useState<typeof Spanish>();
  useEffect(() => {
    if (isSpanish) void import('./refusals-es.ts').then(setSpanish, () => undefined); // said in English, where it cannot be loaded
  }, [isSpanish]);
  return (isSpanish ? spanish?.refusalInSpanish : undefined) ?? asTold;
}
