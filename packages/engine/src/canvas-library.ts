import { type CompiledCanvas, compileCanvas, type NodeTypes } from './canvas/compile.ts';
import { HiloError } from './contract/errors.ts';
import type { CanvasStore } from './contract/store.ts';

/** Compiled canvases by content: each is compiled once, whoever runs it and however often. */
export interface CanvasLibrary {
  /** The canvas, when it is compiled already. */
  get(companyId: string, hash: string): CompiledCanvas | undefined;
  /** @throws {HiloError} `INVALID_CANVAS` when it cannot be compiled */
  load(companyId: string, hash: string): Promise<CompiledCanvas>;
}

const capacity = 1_000;

/** Keeps the thousand canvases used last. */
export function createCanvasLibrary(canvases: CanvasStore, types: NodeTypes): CanvasLibrary {
  const compiled = new Map<string, CompiledCanvas>();
  const keyOf = (companyId: string, hash: string): string => `${companyId}\0${hash}`;

  const get = (companyId: string, hash: string): CompiledCanvas | undefined => compiled.get(keyOf(companyId, hash));

  return {
    get,
    async load(companyId, hash) {
      const key = keyOf(companyId, hash);
      const known = compiled.get(key);
      if (known !== undefined) {
        compiled.delete(key);
        compiled.set(key, known);
        return known;
      }
      const canvas = await canvases.byHash(companyId, hash);
      if (canvas === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId: hash });
      const { compiled: fresh, problems } = compileCanvas(canvas, hash, types);
      if (problems.length > 0) throw new HiloError('INVALID_CANVAS', { workflowId: canvas.id, problems });
      compiled.set(key, fresh);
      const oldest = compiled.keys().next().value;
      if (compiled.size > capacity && oldest !== undefined) compiled.delete(oldest);
      return fresh;
    },
  };
}
