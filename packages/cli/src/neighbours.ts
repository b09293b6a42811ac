import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseCanvas } from '@hilo/engine';
import { compileCanvas, nodeTypes, referencesOf } from '@hilo/engine/debug';
import type { Canvas, NodeDefinition } from '@hilo/engine/contract';
import { readCanvasFile } from './canvas-file.ts';

/** A canvas and its file. */
export interface FoundCanvas {
  readonly file: string;
  readonly canvas: Canvas;
}

/**
 * Canvases in the folders of some files, by workflow id. Files that hold no canvas are passed over.
 *
 * @param known - canvases that were read already, by the absolute path of their file; `undefined` for a file that holds none
 */
export async function canvasesBeside(
  files: readonly string[],
  known: ReadonlyMap<string, Canvas | undefined> = new Map(),
): Promise<ReadonlyMap<string, FoundCanvas>> {
  const folders = [...new Set(files.map((file) => dirname(resolve(file))))];
  const names = (await Promise.all(folders.map(listJsonFiles))).flat();
  const found = new Map<string, FoundCanvas>();
  for (const file of names) {
    const canvas = known.has(file) ? known.get(file) : await readNeighbour(file);
    if (canvas !== undefined && !found.has(canvas.id)) found.set(canvas.id, { file, canvas });
  }
  return found;
}

async function listJsonFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    // What is neither a file nor a link to one, such as a pipe, may wait for ever for somebody who writes.
    const files = entries.filter((entry) => entry.name.endsWith('.json') && (entry.isFile() || entry.isSymbolicLink()));
    return files.map(({ name }) => join(folder, name)).sort();
  } catch {
    return [];
  }
}

async function readNeighbour(file: string): Promise<Canvas | undefined> {
  const read = await readCanvasFile(file);
  return read.kind === 'text' ? parseCanvas(read.text).canvas : undefined;
}

/** Canvases that wait for an event which this one sends. */
export function waitersFor(canvas: Canvas, beside: ReadonlyMap<string, FoundCanvas>): readonly string[] {
  const listNames = ({ nodes }: Canvas, type: string): readonly unknown[] =>
    nodes.flatMap((node) => (node.type === type ? [node.data['name']] : []));
  const sent = new Set(listNames(canvas, 'send-event'));
  return [...beside].flatMap(([id, found]) => (listNames(found.canvas, 'wait-event').some((name) => sent.has(name)) ? [id] : []));
}

/** The workflows that a canvas of these nodes names, to call them or to continue in them. */
export function listCalledWorkflows(canvas: Canvas, definitions: readonly NodeDefinition[]): readonly string[] {
  const references = referencesOf(compileCanvas(canvas, '', nodeTypes(definitions)).compiled);
  return [...new Set(references.filter(({ kind }) => kind === 'workflow').map(({ id }) => id))];
}

/** The canvases that a canvas calls, and those that they call, as far as they are found. */
export function collectCalled(
  canvas: Canvas,
  find: (id: string) => Canvas | undefined,
  definitions: readonly NodeDefinition[],
): readonly Canvas[] {
  const called = new Map<string, Canvas>();
  const open = [canvas];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const id of listCalledWorkflows(next, definitions)) {
      const found = find(id);
      if (found === undefined || called.has(id) || id === canvas.id) continue;
      called.set(id, found);
      open.push(found);
    }
  return [...called.values()];
}
