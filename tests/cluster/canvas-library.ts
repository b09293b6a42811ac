import { compileCanvas, type CompiledCanvas, nodeTypes } from '@hilo/engine/debug';
import type { Canvas, NodeDefinition } from '@hilo/engine/contract';

/** Compiled canvases of all runs, by their node definitions: compiling a canvas costs more than running it. */
const compiledWith = new WeakMap<readonly NodeDefinition[], Map<string, CompiledCanvas>>();

/** Canvases, compiled, by content hash. @throws {Error} for a hash that names none of them */
export function libraryOf(canvases: ReadonlyMap<string, Canvas>, nodes: readonly NodeDefinition[]): (hash: string) => CompiledCanvas {
  const compiledByHash = compiledWith.get(nodes) ?? new Map<string, CompiledCanvas>();
  compiledWith.set(nodes, compiledByHash);
  return (hash) => {
    const known = compiledByHash.get(hash);
    if (known !== undefined) return known;
    const canvas = canvases.get(hash);
    if (canvas === undefined) throw new Error(`No canvas has the hash ${hash}`);
    const { compiled } = compileCanvas(canvas, hash, nodeTypes(nodes));
    compiledByHash.set(hash, compiled);
    return compiled;
  };
}
