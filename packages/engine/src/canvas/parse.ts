import { Canvas, schemaVersion } from '../contract/canvas.ts';
import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Problem } from '../contract/problem.ts';
import { utf8Bytes } from '../variables/measure.ts';
import { getPath, type Path } from '../variables/path.ts';
import { unreadType } from './compile.ts';
import { findingsOf, inWords } from './config-issues.ts';
import { readJsonText } from './json-text.ts';
import { plainJson } from './plain-json.ts';
import { problem, tooLarge } from './problem-codes.ts';
import { problemList } from './problem-list.ts';

/** A canvas, or why there is none. */
export interface ParsedCanvas {
  readonly canvas?: Canvas;
  readonly problems: readonly Problem[];
}

/**
 * Reads a canvas from a text or an object. Never throws, for any input whatever.
 *
 * @returns the canvas when nothing is wrong with its shape, else the errors; what it does is for `checkCanvas` to judge
 */
export function parseCanvas(input: unknown): ParsedCanvas {
  const { canvas, problems } = readCanvas(input);
  return canvas === undefined || problems.length > 0 ? { problems: problemList(problems) } : { canvas, problems };
}

/**
 * As {@link parseCanvas}, but a canvas is also given where the rest of it can be checked without what is told here: it has no
 * fields that nobody knows and no looks of a wrong shape, and a node whose type or data cannot be read has {@link unreadType}.
 */
export function readCanvas(input: unknown): ParsedCanvas {
  const { value, problems } = readPlain(input);
  if (problems.some(({ code }) => code !== 'FORBIDDEN_KEY')) return { problems };

  const version = getPath(value as Json, ['schemaVersion']);
  if (version !== undefined && version !== schemaVersion) {
    return {
      problems: [
        problem(
          'UNSUPPORTED_SCHEMA_VERSION',
          ['schemaVersion'],
          `schemaVersion is ${JSON.stringify(version)}; this Hilo reads ${schemaVersion}`,
        ),
      ],
    };
  }
  const parsed = Canvas.safeParse(value, { error: inWords });
  if (parsed.success) return { canvas: parsed.data, problems };
  const findings = findingsOf(parsed.error.issues, 'INVALID_CANVAS');
  const told = [...problems, ...findings.map(({ code, at, message }) => problem(code, at, message, idOfNode(value, at)))];
  const unread = new Set<number>();
  for (const finding of findings) {
    const { code, at } = finding;
    const [list, index, field] = at;
    if (code === 'UNKNOWN_FIELD') removeField(value, at);
    else if (typeof list === 'string' && looks.has(list)) removeField(value, [list]);
    else if (typeof index !== 'number' || field === undefined) return { problems: told };
    else if (list === 'nodes' && (field === 'type' || field === 'data')) unread.add(index);
    else if ((list === 'nodes' && field !== 'id') || (list === 'edges' && !ends.has(field))) removeField(value, [list, index, field]);
    else return { problems: told };
  }
  for (const index of unread) {
    const node = getPath(value as Json, ['nodes', index]) as { [field: string]: Json };
    Object.assign(node, { type: 'unread', data: {} });
  }
  const rest = NamelessCanvas.safeParse(value);
  if (!rest.success) return { problems: told };
  const nodes = rest.data.nodes.map((node, index) => (unread.has(index) ? { ...node, type: unreadType } : node));
  return { canvas: { ...rest.data, nodes }, problems: told };
}

/** A canvas that may lack its name, which nothing else depends on. */
const NamelessCanvas = Canvas.extend({ name: Canvas.shape.name.default('Unnamed') });

/** Fields of the root that nothing else depends on. */
const looks: ReadonlySet<string> = new Set(['$schema', 'name', 'description', 'viewport']);

/** Fields of an edge that say what it connects. */
const ends: ReadonlySet<PropertyKey> = new Set(['source', 'sourceHandle', 'target']);

/** An object in memory may do anything when it is looked at, and is held to what the text it would be is held to. */
function readPlain(input: unknown): ReturnType<typeof plainJson> {
  if (typeof input === 'string') {
    const read = readJsonText(input);
    return 'problems' in read ? { value: undefined, problems: read.problems } : (tooMuch(input) ?? plainJson(read.value));
  }
  try {
    const plain = plainJson(input);
    return plain.problems.length > 0 ? plain : (tooMuch(JSON.stringify(plain.value)) ?? plain);
  } catch {
    return refused(problem('INVALID_CANVAS', [], 'The canvas cannot be read: it throws when it is looked at'));
  }
}

const refused = (problem: Problem): ReturnType<typeof plainJson> => ({ value: undefined, problems: [problem] });

/** Every expression costs its compilation, so that a text of little else would keep the check busy for seconds. */
const mostExpressions = 50_000;

function tooMuch(text: string): ReturnType<typeof plainJson> | undefined {
  if (utf8Bytes(text) > limits.bodyBytes) return refused(tooLarge());
  let count = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) count += 1;
  if (count <= mostExpressions) return undefined;
  return refused(problem('CANVAS_TOO_LARGE', [], `The canvas has ${count} expressions; at most ${mostExpressions} are read`));
}

/** The id of the node that a place belongs to. */
function idOfNode(value: unknown, [list, index]: readonly PropertyKey[]): string | undefined {
  const id = list === 'nodes' && typeof index === 'number' ? getPath(value as Json, [list, index, 'id']) : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Takes a field out of our own copy of the input. */
function removeField(value: unknown, at: readonly PropertyKey[]): void {
  const parent = getPath(value as Json, at.slice(0, -1) as Path) as { [key: string]: Json } | undefined;
  if (parent !== undefined) delete parent[String(at.at(-1))];
}
