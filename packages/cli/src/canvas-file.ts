import { type FileHandle, open } from 'node:fs/promises';
import { checkCanvas, type CheckOptions, checkCanvasText, parseCanvas } from '@hilo/engine';
import { type Canvas, limits, type Problem } from '@hilo/engine/contract';
import { type CompleteParts, performedEffects } from '@hilo/server/parts';
import type { PlacedProblem } from './draw-problem.ts';
import { createPlaceFinder } from './place.ts';
import { judgeCallersAmong } from './tools-beside.ts';

/** The text of a canvas file, or why it cannot be read. */
export type CanvasFile = { readonly file: string } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly problem: Problem }
);

/** Reads a file, but never more of it than a canvas may have. */
export async function readCanvasFile(file: string): Promise<CanvasFile> {
  const unreadable = (code: string, message: string, hint: string): CanvasFile => ({
    file,
    kind: 'unreadable',
    problem: { code, severity: 'error', pointer: '', message, hint },
  });
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { size } = await handle.stat();
    const bytes = size > limits.bodyBytes ? undefined : await readBytes(handle, size);
    if (bytes === undefined) {
      const many = size > limits.bodyBytes ? `${megabytes(size)} MB` : 'more than 1 MB';
      return unreadable(
        'CANVAS_TOO_LARGE',
        `The file has ${many}; a canvas has at most 1 MB`,
        'Move a part of the canvas into a workflow of its own and call it with a workflow node.',
      );
    }
    return { file, kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return unreadable('NOT_JSON', 'The file is not text in UTF-8', 'Save the file as UTF-8.');
    const { code, message, hint } = explain(error);
    return unreadable(code, message, hint);
  } finally {
    await handle?.close();
  }
}

/** The whole file; `undefined` when it is larger than a canvas may be. The size of a pipe is not known in advance. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array | undefined> {
  const most = limits.bodyBytes + 4; // a byte order mark does not count
  let bytes = new Uint8Array(size + 1); // one more than there is, so that the second read sees the end
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
    length += bytesRead;
    if (bytesRead === 0) return bytes.subarray(0, length);
    if (length === most) return undefined;
    if (length === bytes.length) bytes = enlarged(bytes, most);
  }
}

function enlarged(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');

interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

function explain(error: unknown): Explanation {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message : String(error);
  return (
    reasons[code] ?? { code: 'FILE_UNREADABLE', message: `The file cannot be read: ${reason}`, hint: 'Look at the file and its folder.' }
  );
}

const forbidden: Explanation = {
  code: 'FILE_UNREADABLE',
  message: 'You may not read this file',
  hint: 'Change its permissions, or run as someone who may.',
};

const reasons: { readonly [code: string]: Explanation } = {
  ENOENT: {
    code: 'FILE_NOT_FOUND',
    message: 'There is no such file',
    hint: 'Correct the path; it is looked up from the folder you are in.',
  },
  ENOTDIR: { code: 'FILE_NOT_FOUND', message: 'There is no such file', hint: 'Correct the path: a part of it is a file and no folder.' },
  EISDIR: { code: 'FILE_UNREADABLE', message: 'This is a folder, not a file', hint: 'Name the files in it, for example with *.json.' },
  EACCES: forbidden,
  EPERM: forbidden,
};

/** The canvas of a file that was read: parsed once, for all that ask for it. */
export function parseFile(read: Extract<CanvasFile, { readonly kind: 'text' }>): ReturnType<typeof parseCanvas> {
  const known = parsedFiles.get(read) ?? parseCanvas(read.text);
  parsedFiles.set(read, known);
  return known;
}

const parsedFiles = new WeakMap<CanvasFile, ReturnType<typeof parseCanvas>>();

/** What a canvas file is checked against. */
export interface FileChecks extends Omit<CheckOptions, 'nodes' | 'effects'> {
  /** What the project adds to Hilo. */
  readonly parts: Pick<CompleteParts, 'nodes' | 'drivers' | 'resources'>;
  /** Other workflows, by their ids, whose agents may call it as a tool. */
  readonly others?: ReadonlyMap<string, Canvas>;
}

/** All that is wrong with a canvas file, each problem with its place in the text. */
export async function checkFile(read: CanvasFile, { parts, others, ...options }: FileChecks): Promise<readonly PlacedProblem[]> {
  const { file } = read;
  if (read.kind === 'unreadable') return [{ file, problem: read.problem }];
  const { text } = read;
  const findPlace = createPlaceFinder(text);
  const checks = { ...options, nodes: parts.nodes, effects: performedEffects(parts) };
  const { canvas } = parseFile(read);
  const own = canvas === undefined ? checkCanvasText(text, checks) : checkCanvas(canvas, checks);
  const ofCallers = canvas === undefined || others === undefined ? [] : await judgeCallersAmong(canvas, others, parts.nodes);
  return [...own, ...ofCallers].map((problem) => {
    const place = findPlace(problem);
    return place === undefined ? { file, problem } : { file, problem, source: { text, place } };
  });
}

/** Whether there are only warnings. */
export const isSound = (problems: readonly PlacedProblem[]): boolean => problems.every(({ problem }) => problem.severity === 'warning');
