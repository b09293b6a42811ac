// What a variable may be called (WEB-16).
import { forbiddenNames } from './path.ts';

/** A letter or "_", then letters, digits or "_": 64 in all at most. */
export const variableNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Words that the expression language keeps for itself; `in` may be a name, for canvases that have it exist. */
const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import let loop namespace null package return true var void while'.split(' '),
);

/** Whether something else has a name, however it is formed. */
export const isReservedName = (name: string): boolean => forbiddenNames.has(name) || reservedWords.has(name);

/** Whether a variable may be called so. */
export const isVariableName = (name: string): boolean => variableNamePattern.test(name) && !isReservedName(name);
