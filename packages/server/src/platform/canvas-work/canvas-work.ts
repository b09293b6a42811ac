// Checks and compiles canvases in threads, within limits of each company.
import type { CheckOptions, PublishedWorkflow } from '@hilo/engine';
import { type CanvasDiff, formatReferenceKey, type OutsideNames } from '@hilo/engine/authoring';
import type { Canvas, NodeDefinition, Problem, Reference } from '@hilo/engine/contract';
import type { Picture } from '@hilo/picture';
import type { Dialogue } from '@hilo/simulator';
import { problemsRefused } from '../../platform/http/admin.ts';
import { type CanvasReading, type CheckFacts, writeDescription } from './canvas-tasks.ts';
import { type CanvasTaskOptions, createCanvasTasks, notCheckedCode } from './run-canvas-tasks.ts';
import type { SearchFacts } from './canvas-searches.ts';

/** What a canvas is checked against, but for the nodes. */
export type Checks = Omit<CheckOptions, 'nodes'>;

/**
 * Reads, checks, describes, compares and draws canvases: large ones in a thread, where companies take turns, so that nothing that an
 * author sends holds the event loop (P20, P23). Each method rejects with 503 where too much waits; the company is `''` where none is named.
 *
 * Work that passes its limit of time, or ends its thread, is answered with the problem `CANVAS_NOT_CHECKED`.
 */
export interface CanvasWork {
  read(companyId: string, text: string): Promise<CanvasReading>;
  /** What a valid canvas refers to; or why that was not found out. */
  references(companyId: string, canvas: Canvas): Promise<OutsideNames & { readonly stopped?: Problem }>;
  /** The problems of valid canvases, each with what it refers to; all are checked against the same. */
  check(companyId: string, canvases: readonly CheckedCanvas[], checks: Checks): Promise<readonly (readonly Problem[])[]>;
  /** The problems of a text. @param references - those of its reading */
  validate(companyId: string, text: string, references: readonly Reference[], checks: Checks): Promise<readonly Problem[]>;
  /**
   * Conversations that lead to problems of a text, in their order: `null` where none was found, `undefined` where none was looked for,
   * as where no thread can do the work.
   */
  dialogues(
    companyId: string,
    text: string,
    facts: SearchFacts,
    problems: readonly Problem[],
  ): Promise<readonly (Dialogue | null | undefined)[]>;
  /** What an editor shows of each node of a text, as the JSON of a `CanvasDescription`. */
  describe(companyId: string, text: string, references: readonly Reference[], checks: Checks): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws {HttpError} 422 where it takes too long */
  diff(companyId: string, before: Canvas, after: Canvas): Promise<CanvasDiff>;
  /** A canvas as SVG, checked or not. */
  draw(companyId: string, canvas: object): Promise<Picture | { readonly problem: Problem }>;
  /** Ends every thread. */
  close(): Promise<void>;
}

/** A valid canvas, with what it refers to. */
export interface CheckedCanvas {
  readonly canvas: Canvas;
  readonly references: readonly Reference[];
}

export function createCanvasWork(options: CanvasTaskOptions): CanvasWork {
  const { run, search, batchSize, close } = createCanvasTasks(options);
  const readStarts = createStartsReader(options.nodes);

  const facts = (
    references: readonly Reference[],
    { channels, effects, resolve, published, userFields, settings }: Checks,
  ): CheckFacts => ({
    channels,
    userFields,
    settings,
    effects,
    names: resolve && new Map(references.map((reference) => [formatReferenceKey(reference), resolve(reference)])),
    published: published?.map(readStarts),
  });

  async function checkTogether(
    companyId: string,
    canvases: readonly CheckedCanvas[],
    jsons: readonly string[],
    checks: Checks,
  ): Promise<readonly (readonly Problem[])[]> {
    const given = facts(
      canvases.flatMap(({ references }) => references),
      checks,
    );
    const outcome = await run(companyId, measure(given, ...jsons), 'check', given, ...jsons);
    if ('result' in outcome) return outcome.result;
    if (canvases.length === 1) return [[outcome.stopped]];
    const alone: (readonly Problem[])[] = []; // one of them is at fault
    for (const [index, canvas] of canvases.entries())
      alone.push(...(await checkTogether(companyId, [canvas], jsons.slice(index, index + 1), checks)));
    return alone;
  }

  return {
    async read(companyId, text) {
      const outcome = await run(companyId, text.length, 'read', text);
      return 'result' in outcome ? outcome.result : { problems: [outcome.stopped], canvas: undefined, id: undefined, ...nothing };
    },
    async references(companyId, canvas) {
      const json = JSON.stringify(canvas);
      const outcome = await run(companyId, json.length, 'references', json);
      return 'result' in outcome ? outcome.result : { ...nothing, stopped: outcome.stopped };
    },
    async check(companyId, canvases, checks) {
      const found: (readonly Problem[])[] = [];
      for (const { batch, jsons } of inBatches(canvases, batchSize)) found.push(...(await checkTogether(companyId, batch, jsons, checks)));
      return found;
    },
    async validate(companyId, text, references, checks) {
      const given = facts(references, checks);
      const outcome = await run(companyId, measure(given, text), 'validate', given, text);
      return 'result' in outcome ? outcome.result : [outcome.stopped];
    },
    async dialogues(companyId, ...given) {
      const outcome = await search(companyId, { name: 'dialogues', given });
      return outcome?.kind === 'done' ? (outcome.result as readonly (Dialogue | null | undefined)[]) : [];
    },
    async describe(companyId, text, references, checks) {
      const given = facts(references, checks);
      const outcome = await run(companyId, measure(given, text), 'describe', given, text);
      return 'result' in outcome ? outcome.result : writeDescription({ nodes: [], problems: [outcome.stopped] });
    },
    async diff(companyId, before, after) {
      const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
      const outcome = await run(companyId, one.length + other.length, 'diff', one, other);
      if ('stopped' in outcome) throw problemsRefused([outcome.stopped]);
      return outcome.result;
    },
    async draw(companyId, canvas) {
      const json = JSON.stringify(canvas);
      const outcome = await run(companyId, json.length, 'draw', json);
      return 'result' in outcome ? outcome.result : { problem: outcome.stopped };
    },
    close,
  };
}

/** Canvases with their JSON, as many together as are checked at once. */
function* inBatches(canvases: readonly CheckedCanvas[], batchSize: number) {
  let batch: CheckedCanvas[] = [];
  let jsons: string[] = [];
  let size = 0;
  for (const [index, one] of canvases.entries()) {
    const json = JSON.stringify(one.canvas);
    batch.push(one);
    jsons.push(json);
    size += json.length;
    if (size < batchSize && index < canvases.length - 1) continue;
    yield { batch, jsons };
    [batch, jsons, size] = [[], [], 0];
  }
}

/** Whether the work that found these problems was stopped. */
export const wasStopped = (problems: readonly Problem[]): boolean => problems.some(({ code }) => code === notCheckedCode);

const nothing: OutsideNames = { references: [], beginsWithMessage: false };

/** The counted size of a check. */
const measure = ({ published = [] }: CheckFacts, ...texts: readonly string[]): number =>
  published.reduce((sum, { canvas }) => sum + canvas.length, 0) + texts.reduce((sum, text) => sum + text.length, 0);

/**
 * Makes of a published workflow what others compete with: its canvas with no other nodes than those that begin it, as JSON. It is made
 * once for all checks against it.
 */
function createStartsReader(nodes: readonly NodeDefinition[]) {
  const known = new WeakMap<Canvas, string>();
  const entries = new Set(nodes.filter(({ entry }) => entry?.kind === 'message').map(({ type }) => type));
  return ({ workflowId, canvas }: PublishedWorkflow): { readonly workflowId: string; readonly canvas: string } => {
    const text =
      known.get(canvas) ??
      JSON.stringify({ ...canvas, nodes: canvas.nodes.filter(({ type }) => entries.has(type)), edges: [], variables: {} });
    known.set(canvas, text);
    return { workflowId, canvas: text };
  };
}
