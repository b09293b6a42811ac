import { readFile, stat } from 'node:fs/promises';
import type { HiloError, Problem } from '@hilo/engine/contract';
import stringWidth from 'fast-string-width';
import { getColumns, type Paint, painter, printable } from './paint.ts';
import { type TextSpan, createPlaceFinder } from './place.ts';

/** A problem with where it is. */
export interface PlacedProblem {
  readonly file: string;
  readonly problem: Problem;
  /** The text in which it was found, and its place there; left out when there is none. */
  readonly source?: { readonly text: string; readonly place: TextSpan };
  /** A conversation that leads to it, or that none was found; left out where none was looked for. */
  readonly dialogue?: ShownDialogue;
}

/** A problem as a conversation. */
export type ShownDialogue =
  | { readonly kind: 'found'; readonly script: string; readonly transcript: string }
  | { readonly kind: 'none'; readonly searchedMs: number };

/** One problem in one line, as compilers write it. */
export function problemLine({ file, problem, source }: PlacedProblem, paint: Paint): string {
  const where = source === undefined ? printable(file) : `${printable(file)}:${source.place.line}:${source.place.column}`;
  return `${where}: ${paint(chooseColour(problem), problem.severity)} ${problem.code}: ${printable(problem.message)}`;
}

/** A problem with an excerpt of the text, a mark under the place, and what to do. */
export function drawProblem(placed: PlacedProblem, paint: Paint, columns: number): string {
  const { file, problem, source, dialogue } = placed;
  const colour = chooseColour(problem);
  const where = source === undefined ? '' : `:${source.place.line}:${source.place.column}`;
  const head = `${paint([colour, 'bold'], problem.severity)} ${paint(colour, problem.code)}  ${paint('bold', printable(problem.message))}`;
  const excerpt = source === undefined ? [] : excerptLines(source, columns);
  const gutter = ' '.repeat(Math.max(2, ...excerpt.map(({ number }) => number.length)));
  const pointer = problem.pointer === '' ? '' : `  ${printable(problem.pointer)}`;
  return [
    head,
    paint('dim', `${gutter} ╭─ ${printable(file)}${where}${pointer}`),
    ...excerpt.flatMap(({ number, text, mark }) => [
      `${paint('dim', `${number.padStart(gutter.length)} │`)} ${text}`,
      ...(mark === undefined ? [] : [`${paint('dim', `${gutter} │`)} ${paint([colour, 'bold'], mark)}`]),
    ]),
    ...listNotes(problem).map(([what, text]) => `${paint('dim', `${gutter} │  ${what}:`)} ${text}`),
    ...listDialogue(dialogue).map((line) => `${paint('dim', `${gutter} │`)}    ${line}`),
    `${paint('dim', `${gutter} ╰─`)} ${printable(problem.hint)}`,
  ].join('\n');
}

/** The path to the problem, and its fixes, when the check knows them. */
function listNotes({ way = [], fixes = [], follows }: Problem): readonly (readonly [what: string, text: string])[] {
  const steps = way.map(({ nodeId, port }) => printable(port === undefined ? nodeId : `${nodeId}.${port}`));
  const shown = steps.length <= maxSteps ? steps : [...steps.slice(0, maxSteps / 2), '…', ...steps.slice(-maxSteps / 2)];
  const offered = fixes.slice(0, maxFixes).map(({ label }) => ['fix', printable(label)] as const);
  const earlier = follows === undefined ? [] : [['follows', `an execution fails at ${printable(follows)} before it comes here`] as const];
  return [...(shown.length > 1 ? [['way', shown.join(' → ')] as const] : []), ...earlier, ...offered];
}

/** The conversation of a problem, a line each. */
function listDialogue(dialogue: ShownDialogue | undefined): readonly string[] {
  if (dialogue === undefined) return [];
  if (dialogue.kind === 'none')
    return [`No conversation was found in ${dialogue.searchedMs} ms; the way is possible as far as the check knows`];
  return dialogue.transcript.trimEnd().split('\n').map(printable);
}

/** The most steps of a path, and the most fixes, that are drawn in a terminal; `--json` has all. */
const maxSteps = 8;
const maxFixes = 3;

const chooseColour = ({ severity }: Problem): 'red' | 'yellow' => (severity === 'error' ? 'red' : 'yellow');

interface ExcerptLine {
  readonly number: string;
  readonly text: string;
  readonly mark?: string;
}

/** The line of the place, with the mark, between its neighbours. Of a long line the part around the place is shown. */
function excerptLines({ text, place }: NonNullable<PlacedProblem['source']>, columns: number): readonly ExcerptLine[] {
  const lines = text.split(/\r\n|\n|\r/);
  const room = Math.max(20, columns - String(place.line + 1).length - 4);
  const marked = lines[place.line - 1] ?? '';
  const from = Math.min(place.column - 1, marked.length);
  const length = Math.max(1, Math.min(place.length, marked.length - from, room - 2));
  // A third of the room before the place shows what it belongs to.
  const first = from + length <= room - 1 ? 0 : Math.max(0, from - Math.floor(room / 3), from + length + 1 - room);
  const before = `${first > 0 ? '…' : ''}${printable(marked.slice(first > 0 ? first + 1 : 0, from))}`;
  const mark = ' '.repeat(stringWidth(before)) + '^'.repeat(Math.max(1, stringWidth(printable(marked.slice(from, from + length)))));
  return [place.line - 1, place.line, place.line + 1].flatMap((number): readonly ExcerptLine[] => {
    const line = lines[number - 1];
    if (line === undefined || (number > place.line && line === '')) return [];
    return [{ number: String(number), ...(number === place.line ? { text: cut(line, first, room), mark } : { text: cut(line, 0, room) }) }];
  });
}

/** A window on a line, with ellipses where there is more. */
function cut(line: string, first: number, room: number): string {
  const begun = first > 0 ? `…${line.slice(first + 1)}` : line;
  const window = begun.length > room ? `${begun.slice(0, room - 1)}…` : begun;
  return printable(window);
}

/** More problems than anyone reads at once. */
const maxDrawn = 25;

/**
 * Draws every problem of a refused workspace, with its place in the file, for standard error.
 *
 * @param rest - where to read about problems that are too many to draw
 * @param what - what failed
 */
export async function drawRefusal(
  file: string,
  { details: { problems } }: HiloError<'WORKSPACE_REFUSED'>,
  rest: string,
  what = 'is not imported',
): Promise<string> {
  const paint = painter(process.stderr);
  const text = await readAgain(file).catch(() => undefined);
  const findPlace = text === undefined ? undefined : createPlaceFinder(text);
  const drawn = problems.slice(0, maxDrawn).map((problem) => {
    const place = findPlace?.(problem);
    const source = text === undefined || place === undefined ? {} : { source: { text, place } };
    return drawProblem({ file, problem, ...source }, paint, getColumns(process.stderr));
  });
  const more = problems.length > maxDrawn ? [paint('dim', `… and ${problems.length - maxDrawn} more; ${rest} lists all`)] : [];
  return [...drawn, ...more, paint('red', `✖ ${printable(file)} ${what}`)].join('\n\n');
}

/** In larger files no problem is shown in its place: the text would have to be held whole. */
const shownUpToBytes = 16_000_000;

/** The text of a file that was read before. A pipe has it once, and a device may have no end. */
async function readAgain(file: string): Promise<string | undefined> {
  const found = await stat(file);
  return found.isFile() && found.size <= shownUpToBytes ? readFile(file, 'utf8') : undefined;
}
