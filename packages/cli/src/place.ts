import { type AnyNode, type DocumentNode, type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import type { Problem } from '@hilo/engine/contract';

/** A stretch of a text: lines and columns count from 1, as editors count. */
export interface TextSpan {
  readonly line: number;
  readonly column: number;
  /** In characters; at least 1, and never beyond the line. */
  readonly length: number;
}

/** Finds the places of problems in their text. */
export type FindSpan = (problem: Problem) => TextSpan | undefined;

/** Parses the text for the first problem only. */
export function createPlaceFinder(given: string): FindSpan {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given; // the mark before a text of Windows is no character of an editor
  let root: DocumentNode | undefined | null = null;
  return (problem) => {
    const named = placeInWords(problem);
    if (named !== undefined) return named;
    if (root === null) root = parseDocument(text);
    return root === undefined ? undefined : findPlace(root, text, problem);
  };
}

function parseDocument(text: string): DocumentNode | undefined {
  try {
    return parse(text, { mode: 'json' });
  } catch {
    return undefined;
  }
}

/** What cannot be parsed has no pointers: the engine names line and column in its message. */
function placeInWords({ code, message }: Problem): TextSpan | undefined {
  if (code !== 'NOT_JSON' && code !== 'TOO_DEEP') return undefined;
  const [, line, column] = / at line (\d+), column (\d+)$/.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column), length: 1 };
}

/** Problems of keys, not of their values. */
const aboutKeys: ReadonlySet<string> = new Set(['FORBIDDEN_KEY', 'UNKNOWN_FIELD']);

/** Where a pointer leads, or the nearest place above it that is there. */
function findPlace(root: DocumentNode, text: string, { pointer, code }: Problem): TextSpan {
  let value: ValueNode = root.body;
  let member: MemberNode | undefined;
  for (const step of parsePointer(pointer)) {
    const next = findChild(value, step);
    if (next === undefined) break;
    [value, member] = [next.value, next.type === 'Member' ? next : undefined];
  }
  return stretch(aboutKeys.has(code) && member !== undefined ? member.name : pickMarked(value, member), text);
}

const parsePointer = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Of duplicate keys the last one counts, as in `JSON.parse`. */
function findChild(value: ValueNode, step: string) {
  if (value.type === 'Array') return value.elements[Number(step)];
  return value.type === 'Object' ? value.members.findLast(({ name }) => readName(name) === step) : undefined;
}

const readName = (name: MemberNode['name']): string => (name.type === 'String' ? name.value : name.name);

/** The part that stands for a value: the id of an object; the key or the beginning of a long value. */
function pickMarked(
  value: ValueNode,
  member: MemberNode | undefined,
): AnyNode | { readonly loc: AnyNode['loc']; readonly isOpening: true } {
  if (value.type !== 'Object' && value.type !== 'Array') return value;
  const id = findChild(value, 'id');
  if (id !== undefined && id.value.type === 'String') return id.value;
  return member?.name ?? { loc: value.loc, isOpening: true };
}

function stretch(node: AnyNode | { readonly loc: AnyNode['loc']; readonly isOpening: true }, text: string): TextSpan {
  const { start, end } = node.loc;
  if ('isOpening' in node) return { line: start.line, column: start.column, length: 1 };
  const written = text.slice(start.offset, end.offset);
  return { line: start.line, column: start.column, length: Math.max(1, written.split(/[\n\r]/, 1)[0]?.length ?? 1) };
}
