// Canvases that are compiled already, and what they are checked against.
import type { WriteResumeUrl } from '../contract/callback.ts';
import type { Clock, Digest } from '../contract/clock.ts';
import type { BoundDriver } from '../contract/driver.ts';
import { type CheckOptions, checkCanvas } from '../canvas/check.ts';
import type { Compilation, CompiledCanvas, NodeTypes } from '../canvas/compile.ts';
import type { Resolve } from '../canvas/check-structure.ts';
import type { ToolMismatch } from '../canvas/explain-tool.ts';
import { judgeCallers } from '../canvas/judge-callers.ts';
import { judgeTool, type ToolSources } from '../canvas/judge-tool.ts';
import { formatReferenceKey } from '../canvas/list-references.ts';
import type { Canvas } from '../contract/canvas.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Reference } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import type { CanvasStore, PublishedVersion } from '../contract/store.ts';
import { compileInTurns } from './compile-in-turns.ts';

/** Compiled canvases by content: each is compiled once, for all executions. */
export interface CanvasLibrary {
  /** The canvas, when it is compiled already. */
  get(companyId: string, hash: string): CompiledCanvas | undefined;
  /** @throws {HiloError} `INVALID_CANVAS` when it cannot be compiled */
  load(companyId: string, hash: string): Promise<CompiledCanvas>;
  /** The canvas as far as it can be compiled: for what asks none of the nodes that cannot. */
  loadPart(companyId: string, hash: string): Promise<CompiledCanvas>;
  /** Whether an execution of this canvas is held: the nodes of this release cannot run it. */
  isHeld(companyId: string, hash: string): Promise<boolean>;
}

const capacity = 1_000;

/** Keeps the thousand canvases loaded last, in a map by their use: `lru-cache` reads the machine's clock, which the engine never does. */
export function createCanvasLibrary(
  canvases: CanvasStore,
  parts: {
    readonly types: NodeTypes;
    readonly digest: Digest;
    readonly clock: Pick<Clock, 'now'>;
    readonly resumeUrl?: WriteResumeUrl | undefined;
  },
): CanvasLibrary {
  const cache = createCache();

  /** Reads and compilations in progress: after a restart, a thousand executions of one canvas need it at once. */
  const compiling = new Map<string, Promise<CompiledCanvas>>();

  /** What cannot be compiled, by company and content: it cannot later either, since the nodes stay what they are. */
  const refused = new Map<string, Compilation>();

  const refusal = ({ compiled: { canvas }, problems }: Compilation): HiloError =>
    new HiloError('INVALID_CANVAS', { workflowId: canvas.id, problems });

  const compile = async (companyId: string, hash: string): Promise<CompiledCanvas> => {
    const canvas = await canvases.byHash(companyId, hash);
    if (canvas === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId: hash });
    const compilation = await compileInTurns(canvas, hash, parts);
    const { compiled: fresh, problems } = compilation;
    if (problems.length > 0) {
      refused.set(keyOf(companyId, hash), compilation);
      const [first] = refused.keys();
      if (refused.size > capacity && first !== undefined) refused.delete(first);
      throw refusal(compilation);
    }
    cache.add(companyId, fresh);
    return fresh;
  };

  const load = async (companyId: string, hash: string): Promise<CompiledCanvas> => {
    const known = cache.use(companyId, hash);
    if (known !== undefined) return known;
    const key = keyOf(companyId, hash);
    const unfit = refused.get(key);
    if (unfit !== undefined) throw refusal(unfit);
    const loading = compiling.get(key) ?? compile(companyId, hash).finally(() => compiling.delete(key));
    compiling.set(key, loading);
    return loading;
  };

  /** The canvas, or the rest of it where it cannot be compiled. */
  const loadOrPart = (companyId: string, hash: string): Promise<CompiledCanvas | Compilation> =>
    load(companyId, hash).catch((error: unknown) => {
      const part = isHiloError(error, 'INVALID_CANVAS') ? refused.get(keyOf(companyId, hash)) : undefined;
      if (part === undefined) throw error;
      return part;
    });

  return {
    get: cache.get,
    load,
    async loadPart(companyId, hash) {
      const found = await loadOrPart(companyId, hash);
      return 'compiled' in found ? found.compiled : found;
    },
    async isHeld(companyId, hash) {
      if (cache.get(companyId, hash) !== undefined) return false;
      try {
        return 'compiled' in (await loadOrPart(companyId, hash));
      } catch (error) {
        if (isHiloError(error, 'WORKFLOW_NOT_FOUND')) return false; // it is gone: no release can run it
        throw error;
      }
    },
  };
}

/** The canvases used last. */
function createCache() {
  /** By company, then by content hash: a combined key would have to be built and hashed at every look-up. */
  const companies = new Map<string, Map<string, CompiledCanvas>>();
  /** Every canvas with its company, the last used one at the end. */
  const byUse = new Map<CompiledCanvas, string>();

  const get = (companyId: string, hash: string): CompiledCanvas | undefined => companies.get(companyId)?.get(hash);
  const forget = (canvas: CompiledCanvas): void => {
    const companyId = byUse.get(canvas) ?? '';
    byUse.delete(canvas);
    companies.get(companyId)?.delete(canvas.hash);
    if (companies.get(companyId)?.size === 0) companies.delete(companyId);
  };
  return {
    get,
    /** Like `get`, for a canvas that is run: it is the last to be forgotten. */
    use(companyId: string, hash: string): CompiledCanvas | undefined {
      const canvas = get(companyId, hash);
      if (canvas === undefined) return undefined;
      byUse.delete(canvas);
      byUse.set(canvas, companyId);
      return canvas;
    },
    add(companyId: string, canvas: CompiledCanvas): void {
      companies.set(companyId, (companies.get(companyId) ?? new Map<string, CompiledCanvas>()).set(canvas.hash, canvas));
      byUse.set(canvas, companyId);
      const [oldest] = byUse.keys();
      if (byUse.size > capacity && oldest !== undefined) forget(oldest);
    },
  };
}

const keyOf = (companyId: string, hash: string): string => JSON.stringify([companyId, hash]);

/** The company's channels, names and published workflows, which a check of a canvas depends on. */
export type Connections = Omit<CheckOptions, 'nodes' | 'effects'>;

/** The parts of the engine that checking and publishing a canvas needs. */
interface Publisher {
  readonly canvases: CanvasStore;
  readonly types: NodeTypes;
  readonly drivers: ReadonlyMap<string, BoundDriver>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Completes the options of a check: the company's published workflows are read when the canvas begins with a message. */
export async function readCheckOptions(
  { canvases, types, drivers }: Pick<Publisher, 'canvases' | 'types' | 'drivers'>,
  companyId: string,
  { nodes }: Pick<Canvas, 'nodes'>,
  connections: Connections,
): Promise<CheckOptions> {
  const begins = nodes.some(({ type }) => types.get(type)?.entry?.kind === 'message');
  const published = connections.published ?? (begins ? await canvases.published(companyId) : []);
  return { ...connections, published, nodes: [...types.values()], effects: new Set(drivers.keys()) };
}

/**
 * Checks a canvas as publishing does: itself, the workflows that its agents call as tools, and the agents of others that call it as one.
 *
 * @param canvas - as far as it has the shape of one
 * @param check - of the canvas itself
 */
export async function checkAmongOthers(
  publisher: Publisher,
  companyId: string,
  canvas: Canvas | undefined,
  connections: Connections,
  check: (options: CheckOptions) => readonly Problem[],
): Promise<readonly Problem[]> {
  const options = await readCheckOptions(publisher, companyId, canvas ?? { nodes: [] }, connections);
  if (canvas === undefined) return check(options);
  const sources = toolSources(publisher, companyId);
  const called = new Map<string, Reference>();
  const resolve: Resolve = (reference) => {
    const exists = connections.resolve === undefined ? true : connections.resolve(reference);
    if (exists === true && reference.expects !== undefined) called.set(formatReferenceKey(reference), reference);
    return exists;
  };
  const found = check({ ...options, resolve });
  const unfit = new Map<string, ToolMismatch>();
  for (const [key, reference] of called) {
    const judged = await judgeTool(sources, reference, new Map([[canvas.id, canvas]]));
    if (judged !== true) unfit.set(key, judged);
  }
  const own =
    unfit.size === 0
      ? found
      : check({ ...options, resolve: (reference) => unfit.get(formatReferenceKey(reference)) ?? resolve(reference) });
  return [...own, ...(await judgeCallers(sources, canvas))];
}

const toolSources = ({ canvases, types }: Pick<Publisher, 'canvases' | 'types'>, companyId: string): ToolSources => ({
  nodes: [...types.values()],
  latest: async (workflowId) => (await canvases.latest(companyId, workflowId))?.canvas,
  version: async (workflowId, version) => (await canvases.version(companyId, workflowId, version))?.canvas,
  draft: async (workflowId) => (await canvases.draft(companyId, workflowId))?.canvas,
  published: async () =>
    (await canvases.published(companyId)).filter(({ gate }) => gate?.state !== 'unpublished').map(({ canvas }) => canvas),
});

/** A version that is now the latest, and the warnings of its check. */
export interface Published {
  readonly version: PublishedVersion;
  readonly warnings: readonly Problem[];
}

/**
 * Makes the draft the next version, immutable and named by its number and content hash (P15). Running executions keep the
 * version that they started with (P14).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND` without a draft; `INVALID_CANVAS` with every problem
 */
export async function publishCanvas(
  publisher: Publisher,
  companyId: string,
  workflowId: string,
  connections: Connections = {},
): Promise<Published> {
  const draft = await publisher.canvases.draft(companyId, workflowId);
  if (draft === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const { canvas } = draft;
  const problems = await checkAmongOthers(publisher, companyId, canvas, connections, (options) => checkCanvas(canvas, options));
  if (problems.some(({ severity }) => severity === 'error')) throw new HiloError('INVALID_CANVAS', { workflowId, problems });
  const version = await publisher.canvases.publish(companyId, draft.canvas, draft.hash, publisher.clock.now());
  return { version, warnings: problems };
}
