/** Finds a variable that a text names without the braces that would read it: `$user.names`, `{$user.names}`, `${user.names}`. */
import { isScopeName } from '../contract/variables.ts';
import { parsePath } from '../variables/path.ts';
import type { ForeignNotation } from './foreign-braces.ts';

/** Our braces, or the first two names of a path, also in the braces of other languages: a text is read once, from its beginning. */
const tokens = /\{\{|\}\}|(?<![\w$.])\$(?:\{ ?)?(\w{3,9})\.[A-Za-z_]\w{0,60}/g;
const rest = /(?:\.[A-Za-z_]\w{0,60}|\[\d{1,6}\])*/y;

/** The text as a whole, where that is the path of a variable; else the first variable that stands in it and in no braces of ours. */
export function findBareVariable(text: string): ForeignNotation | undefined {
  const path = text.startsWith('$') ? parsePath(text) : undefined;
  if (path !== undefined && path.length > 1 && isScopeName(path[0])) return reading(0, text.length, text);
  let isInBraces = false;
  for (const { 0: written, 1: scope, index } of text.matchAll(tokens)) {
    if (scope === undefined) isInBraces = written === '{{';
    else if (!isInBraces && isScopeName(`$${scope}`)) return around(text, index, written);
  }
  return undefined;
}

/** The whole path, with the braces of another language around it. */
function around(text: string, at: number, written: string): ForeignNotation {
  rest.lastIndex = at + written.length;
  const [below = ''] = rest.exec(text) ?? [];
  const end = at + written.length + below.length;
  const meant = `${written.replace(/^\$\{ ?/, '$')}${below}`;
  const [, closing] = /^( ?\})(?!\})/.exec(text.slice(end, end + 3)) ?? [];
  const opensBefore = text[at - 1] === '{' && text[at - 2] !== '{';
  const isWrapped = closing !== undefined && (opensBefore || written.startsWith('${'));
  if (!isWrapped) return reading(at, end, meant);
  return reading(opensBefore ? at - 1 : at, end + closing.length, meant);
}

const reading = (start: number, end: number, variable: string): ForeignNotation => ({
  start,
  end,
  remedy: `write {{${variable}}}`,
  replacement: `{{${variable}}}`,
});
