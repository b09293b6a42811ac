// Expressions that are refused with the words of what is written here: the text with these in place.
import { findText } from '../expressions/text-search.ts';
import { findFaults } from '../expressions/template.ts';

/** A longer text is mended by hand. */
const longest = 2_000;
/** So many words of one text are changed at most. */
const mostChanges = 10;

/** A text whose expressions compile once their words are those that the refusals name; `undefined` where one needs its author. */
export function mendExpressions(text: string): string | undefined {
  if (text.length > longest) return undefined;
  let mended = text;
  for (let count = 0; count <= mostChanges; count += 1) {
    const [fault] = findFaults(mended);
    if (fault === undefined) return mended === text ? undefined : mended;
    const { source, reason } = fault.error.details;
    const changed = mendOne(String(source), String(reason).replace(/ \(at ".*"\)$/s, ''));
    const at = changed === undefined || changed === source ? -1 : findText(mended, String(source));
    if (at < 0) return undefined;
    mended = mended.slice(0, at) + changed + mended.slice(at + String(source).length);
  }
  return undefined;
}

/** Refusals that name a word and what is written in its place. */
const namings: readonly RegExp[] = [
  /there is no (?:function|scope) "([^"]{1,60})"; did you mean ([\w$.]{1,60})\?/,
  /^"([^"]{1,60})" is written "([^"]{1,60})"(?!.*, and ")/,
  /^there is no (?:locale|time zone) "([^"]{1,60})"; write "([^"]{1,60})"$/,
  /"([^"]{1,60})"(?: is not a token of Luxon)?; write "([^"]{1,60})"(?:$|, or )/,
];

function mendOne(source: string, reason: string): string | undefined {
  if (reason.startsWith('a text needs straight quotes')) return source.replaceAll(/[“”„]/g, '"').replaceAll(/[‘’]/g, "'");
  if (reason.startsWith('an expression begins with its value')) return source.replace(/^\s*=/, '');
  if (reason.startsWith('values are compared by "=="')) return source.replace(/(?<![=!<>])=(?![=>])/, '==');
  if (/^\$[\w.]{1,80}\s{0,3}\|[^|]{1,100}$/.test(source)) return /(?:, as in |^a default is written )([^;]{1,120})$/.exec(reason)?.[1];
  for (const naming of namings) {
    const [, written = '', meant = ''] = naming.exec(reason) ?? [];
    if (written !== '') return replaceWord(source, written, meant);
  }
  return undefined;
}

/** The first place of a word that is no part of a longer one, with another in its place. */
function replaceWord(source: string, written: string, meant: string): string | undefined {
  const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\w$]/.test(sign);
  for (let at = findText(source, written); at >= 0; at = findText(source, written, at + 1)) {
    const end = at + written.length;
    const isPart = (isLetter(source[at - 1]) && isLetter(written[0])) || (isLetter(source[end]) && isLetter(written.at(-1)));
    if (!isPart) return source.slice(0, at) + meant + source.slice(end);
  }
  return undefined;
}
