/** Finds a variable that a text names without the braces that would read it: `$user.names`, `{$user.names}`, `${user.names}`. */
import { isScopeName } from '../contract/variables.ts';
import { parsePath } from '../variables/path.ts';

/** Our braces, or the first two names of a path, also in the braces of other languages: a text is read once, from its beginning. */
const tokens = /\{\{|\}\}|(?<![\w$.])\$(?:\{ ?)?(\w{3,9})\.[A-Za-z_]\w{0,60}/g;
const rest = /(?:\.[A-Za-z_]\w{0,60}|\[\d{1,6}\])*/y;

/** Where it stands in a text, and how it would be read. */
export interface BareVariable {
  readonly start: number;
  readonly end: number;
  /** The path, which belongs between `{{` and `}}`. */
  readonly meant: string;
}

/** The text as a whole, where that is the path of a variable; else the first variable that stands in it and in no braces of ours. */
export function findBareVariable(text: string): BareVariable | undefined {
  const path = text.startsWith('$') ? parsePath(text) : undefined;
  if (path !== undefined && path.length > 1 && isScopeName(path[0])) return { start: 0, end: text.length, meant: text };
  let isInBraces = false;
  for (const { 0: written, 1: scope, index } of text.matchAll(tokens)) {
    if (scope === undefined) isInBraces = written === '{{';
    else if (!isInBraces && isScopeName(`$${scope}`)) return around(text, index, written);
  }
  return undefined;
}

/** The whole path, with the braces of another language around it. */
function around(text: string, at: number, written: string): BareVariable {
  rest.lastIndex = at + written.length;
  const [below = ''] = rest.exec(text) ?? [];
  const end = at + written.length + below.length;
  const meant = `${written.replace(/^\$\{ ?/, '$')}${below}`;
  const [, closing] = /^( ?\})(?!\})/.exec(text.slice(end, end + 3)) ?? [];
  const opensBefore = text[at - 1] === '{' && text[at - 2] !== '{';
  const isWrapped = closing !== undefined && (opensBefore || written.startsWith('${'));
  if (!isWrapped) return { start: at, end, meant };
  return { start: opensBefore ? at - 1 : at, end: end + closing.length, meant };
}
