import { bytesFunctions, conversionFunctions } from './conversions.ts';
import type { LanguageFunction } from './define.ts';
import { listFunctions, objectFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { textFunctions } from './texts.ts';
import { timeFunctions } from './times.ts';

/** Every function of the language, in the order of its documentation. */
export const languageFunctions: readonly LanguageFunction[] = [
  ...textFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...objectFunctions,
  ...timeFunctions,
  ...conversionFunctions,
  ...bytesFunctions,
];

/** The same by name. */
export const functionByName: ReadonlyMap<string, LanguageFunction> = new Map(
  languageFunctions.map((definition) => [definition.name, definition]),
);
