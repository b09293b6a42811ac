import { compileCanvas, type CompiledCanvas, type CompiledNode, nodeTypes } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import { againPort, HiloError, type HistoryRecord, type NodeDefinition } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { readCanvas } from './read-canvas.ts';

/** The node types of a canvas, and how far its paths are followed. */
export interface PathOptions {
  /** The standard nodes, when left out. */
  readonly nodes?: readonly NodeDefinition[];
  /** How many paths are looked for; 10,000 when left out. A canvas of n choices in a row has 2ⁿ. */
  readonly maxPaths?: number;
}

/** A way through a canvas on which no node is left twice. */
export interface CanvasPath {
  /** The ports taken, as `node.port`, from the entry on. */
  readonly steps: readonly string[];
  /** The last node: an end, or a node that the path contains already. */
  readonly to: string;
  readonly isLoop: boolean;
}

/** The paths of a canvas. */
export interface CanvasPaths {
  readonly paths: readonly CanvasPath[];
  /** Whether these are all: false when there are more than were looked for. */
  readonly isComplete: boolean;
}

/**
 * Every simple path by ports, from each entry: starts, the webhook as it is called again, and `catch`.
 *
 * @param canvas - as an object, or as its text in JSON
 * @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled
 */
export function pathsOf(canvas: object | string, { nodes = standardNodes, maxPaths = 10_000 }: PathOptions = {}): CanvasPaths {
  const compiled = compileCanvasInput(canvas, { nodes });
  const paths: CanvasPath[] = [];
  let isComplete = true;

  const follow = (node: CompiledNode, ways: readonly Way[], steps: readonly string[], behind: ReadonlySet<string>): void => {
    if (ways.length === 0) paths.push({ steps, to: node.id, isLoop: false });
    for (const [port, target] of ways) {
      if (paths.length >= maxPaths) {
        isComplete = false;
        return;
      }
      const taken = [...steps, formatStep(node, port)];
      const visited = new Set([...behind, node.id]);
      if (visited.has(target.id)) paths.push({ steps: taken, to: target.id, isLoop: true });
      else follow(target, waysWhenEntered(target), taken, visited);
    }
  };

  for (const entry of listEntries(compiled)) follow(entry, waysAtEntry(entry), [], new Set());
  return { paths, isComplete };
}

/** Which connected ports of a canvas executions have left by, and which never. */
export interface PortCoverage {
  readonly taken: readonly string[];
  /** As `node.port`, in the order of the canvas. */
  readonly never: readonly string[];
}

/**
 * The ports that executions left by, and those that none did: what no test has covered.
 *
 * @param canvas - as an object, or as its text in JSON
 * @param histories - of executions; those of other canvases are ignored
 * @example
 * const { never } = uncoveredPorts(canvas, [await conversation.history()]);
 * expect(never).toEqual([]);
 *
 * @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled
 */
export function uncoveredPorts(
  canvas: object | string,
  histories: Iterable<readonly HistoryRecord[]>,
  { nodes = standardNodes }: Pick<PathOptions, 'nodes'> = {},
): PortCoverage {
  const compiled = compileCanvasInput(canvas, { nodes });
  const left = new Set<string>();
  for (const history of histories) {
    let hash = '';
    for (const { event, entries } of history) {
      // A migration enters nodes of the version that it leads to; a jump ends in the one that it leaves.
      if (event.type === 'execution.accepted') hash = event.input.canvasHash;
      else if (event.type === 'execution.forked') hash = event.state.canvasHash;
      else if (event.type === 'execution.migrated') hash = event.canvasHash;
      if (hash === compiled.hash) {
        for (const { nodeId, port } of entries) {
          const node = compiled.nodes.get(nodeId);
          // What leaves by a port without an edge continues by `error`; `again` is no edge.
          if (node !== undefined && port !== undefined && (port !== againPort || node.targets.has(port)))
            left.add(formatStep(node, node.targets.has(port) ? port : 'error'));
        }
      }
      if (event.type === 'canvas.entered') hash = event.canvasHash;
    }
  }
  const all = [...compiled.nodes.values()].flatMap((node) => [...node.targets.keys()].map((port) => formatStep(node, port)));
  return { taken: all.filter((step) => left.has(step)), never: all.filter((step) => !left.has(step)) };
}

/**
 * Throws when runs covered too little of a canvas: a property whose conversations never come anywhere proves nothing.
 *
 * @param atLeast - the share of the connected ports that executions must have left by; any of them at all, when left out
 * @throws {RangeError} with the ports that none left by
 * @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled
 */
export function requireCoverage(
  canvas: object | string,
  histories: Iterable<readonly HistoryRecord[]>,
  { atLeast = 0, ...options }: Pick<PathOptions, 'nodes'> & { readonly atLeast?: number } = {},
): void {
  const { taken, never } = uncoveredPorts(canvas, histories, options);
  const all = taken.length + never.length;
  if (taken.length > 0 && taken.length >= atLeast * all) return;
  throw new RangeError(
    `The runs left by ${taken.length} of the ${all} ports of the canvas, which proves little. Never: ${never.slice(0, 20).join(', ')}${never.length > 20 ? ', …' : ''}`,
  );
}

/** @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled */
export function compileCanvasInput(input: object | string, { nodes = standardNodes }: Pick<PathOptions, 'nodes'> = {}): CompiledCanvas {
  const canvas = readCanvas(input);
  const { compiled, problems } = compileCanvas(canvas, canvasHash(canvas), nodeTypes(nodes));
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new HiloError('INVALID_CANVAS', { workflowId: canvas.id, problems: errors });
  return compiled;
}

const formatStep = ({ id }: CompiledNode, port: string): string => `${id}.${port}`;

const listEntries = ({ nodes }: CompiledCanvas): readonly CompiledNode[] =>
  [...nodes.values()].filter(({ definition }) => definition.entry !== undefined);

/** A node that waits where it is come into leaves by other ports there than where an execution begins. */
const hasOwnPortsWhenEntered = ({ definition }: CompiledNode): boolean => definition.portsWhenEntered.length > 0;

/** A port with what it leads to. */
type Way = readonly [port: string, target: CompiledNode];

const waysAtEntry = (node: CompiledNode): readonly Way[] =>
  [...node.targets].filter(([port]) => !hasOwnPortsWhenEntered(node) || node.ports.includes(port));

const waysWhenEntered = (node: CompiledNode): readonly Way[] =>
  [...node.targets].filter(([port]) => !hasOwnPortsWhenEntered(node) || !node.ports.includes(port));
