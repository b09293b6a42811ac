import type { Canvas } from '../contract/canvas.ts';
import type { Json } from '../contract/json.ts';
import type { Problem } from '../contract/problem.ts';
import { formatPath, getPath, type Path } from '../variables/path.ts';

/** Longer texts are not searched: an editor marks the whole text. */
const maxChars = 100_000;
/** Longer names are not searched for. */
const maxNameChars = 500;

/** The variable that a problem is about, and the range of its first occurrence in the text at a place. */
export function locateVariable(canvas: Canvas, place: readonly (string | number)[], path: Path): Pick<Problem, 'subject' | 'range'> {
  const [range] = findOccurrences(readText(canvas, place), path);
  return { subject: formatPath(path), ...(range !== undefined && { range }) };
}

/** The text at a place of a canvas; empty when there is none or it is too long. */
export function readText(canvas: Canvas, place: readonly (string | number)[]): string {
  const text = getPath(canvas as unknown as Json, place);
  return typeof text === 'string' && text.length <= maxChars ? text : '';
}

/** The ranges in which a text names exactly this variable, with dots or with brackets: neither a part of it nor a longer path. */
export function findOccurrences(text: string, path: Path): readonly { readonly start: number; readonly end: number }[] {
  if (formatPath(path).length > maxNameChars) return [];
  const [scope, ...steps] = path.map(String);
  const step = (name: string) => {
    const inBrackets = String.raw`\s*\[\s*(?:"${escapePattern(name)}"|'${escapePattern(name)}'${/^\d+$/.test(name) ? `|${name}` : ''})\s*\]`;
    return String.raw`(?:\s*\.\s*${escapePattern(name)}(?!\w)|${inBrackets})`;
  };
  const notLonger = String.raw`(?!\s*\[)(?!\s*\.\??\s*[A-Za-z_$]\w*(?![\w(]|\s+\())`;
  const pattern = new RegExp(`${escapePattern(scope ?? '')}(?!\\w)${steps.map(step).join('')}${notLonger}`, 'g');
  return Array.from(text.matchAll(pattern), (match) => ({ start: match.index, end: match.index + match[0].length }));
}

const escapePattern = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
