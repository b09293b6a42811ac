import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Problem } from '@hilo/engine/contract';
import { parse } from '@humanwhocodes/momoa';
import { workspaceProblem } from './problems.ts';

/** A workspace: the path of its file, or what such a file holds, which then can name no other file. */
export type WorkspaceSource = string | { readonly workspace: unknown };

/** A workspace as it was read. */
export interface ReadWorkspace {
  /** What it is called where it is told of. */
  readonly place: string;
  readonly input: unknown;
  /** Where its relative paths begin; none for one without a file. */
  readonly folder: string | undefined;
}

/** Reads a text, or tells why not. */
type ReadText = { readonly text: string } | { readonly problem: Problem };

export async function readWorkspace(
  source: WorkspaceSource,
): Promise<ReadWorkspace | { readonly place: string; readonly problem: Problem }> {
  if (typeof source !== 'string') return { place: 'The workspace', input: source.workspace, folder: undefined };
  const read = await textOf(source, []);
  if ('problem' in read) return { place: source, ...read };
  try {
    return { place: source, input: JSON.parse(read.text), folder: dirname(resolve(source)) };
  } catch {
    return { place: source, problem: workspaceProblem('NOT_JSON', [], `The text is no JSON${placeOfFault(read.text)}`) };
  }
}

/** Where a text stops being JSON. The parsers' own sentences repeat what stands there, which may be a secret (P31). */
function placeOfFault(text: string): string {
  try {
    parse(text, { mode: 'json' });
    return '';
  } catch (error) {
    const at = endsTooEarly(error) ? endOf(text) : (error as { readonly line?: unknown; readonly column?: unknown });
    return typeof at.line === 'number' && typeof at.column === 'number' ? ` at line ${at.line}, column ${at.column}` : '';
  }
}

/** The parser then names where the text began. */
const endsTooEarly = (error: unknown): boolean => error instanceof Error && /end of input/i.test(error.message);

function endOf(text: string): { readonly line: number; readonly column: number } {
  const lines = text.trimEnd().split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/**
 * Reads a file that a workspace names. A relative path leads to the workspace's folder or below, by whatever links; an
 * absolute one is the word of whoever wrote the workspace, and they may read what Hilo may. A workspace without a file, as
 * it comes over the network, names none.
 */
export async function readNamedFile(folder: string | undefined, name: string, at: readonly PropertyKey[]): Promise<ReadText> {
  if (folder === undefined)
    return { problem: workspaceProblem('FILE_OUTSIDE', at, `"${name}" is a file, and a workspace that is not in a file can name none`) };
  const path = resolve(folder, name);
  if (isAbsolute(name)) return textOf(path, at);
  try {
    const way = relative(await realpath(folder), await realpath(path));
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
      return { problem: workspaceProblem('FILE_OUTSIDE', at, `"${name}" leads out of the folder of the workspace file`) };
  } catch (error) {
    return { problem: workspaceProblem('FILE_UNREADABLE', at, reason(error)) };
  }
  return textOf(path, at);
}

async function textOf(path: string, at: readonly PropertyKey[]): Promise<ReadText> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)) };
  } catch (error) {
    return { problem: workspaceProblem('FILE_UNREADABLE', at, `${path} cannot be read: ${reason(error)}`) };
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
