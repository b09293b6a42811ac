// What the threads that check canvases are asked to do.
import { type CheckOptions, checkCanvas, checkCanvasText } from '@hilo/engine';
import {
  type CanvasDescription,
  type CanvasDiff,
  describeCanvas,
  diffCanvases,
  formatReferenceKey,
  listReferences,
  type OutsideNames,
  sortProblems,
} from '@hilo/engine/authoring';
import type { Canvas, Channel, NodeDefinition, Problem } from '@hilo/engine/contract';
import { readCanvas, type Resolved } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import { drawCanvas, type Picture } from '@hilo/picture';

/** What is known of a name, by its key; `undefined` when that cannot be known here. */
export type KnownNames = ReadonlyMap<string, Resolved>;

/** What a canvas is checked against, as data that another thread can be given. */
export interface CheckFacts {
  readonly channels?: readonly Channel[] | undefined;
  readonly effects?: ReadonlySet<string> | undefined;
  readonly userFields?: CheckOptions['userFields'] | undefined;
  readonly settings?: CheckOptions['settings'] | undefined;
  /** Without it, names are not checked. */
  readonly names?: KnownNames | undefined;
  /** The starts of the company's published workflows: each text is JSON of a canvas that has these nodes alone. */
  readonly published?: readonly { readonly workflowId: string; readonly canvas: string }[] | undefined;
}

/** A text that was read as a canvas. */
export interface CanvasReading extends OutsideNames {
  /** Of its shape alone. */
  readonly problems: readonly Problem[];
  /** The canvas as JSON, with its hash; `undefined` when its shape is invalid. */
  readonly canvas: { readonly json: string; readonly hash: string } | undefined;
  /** Its id, as far as it could be read; `undefined` when nothing can be checked. */
  readonly id: string | undefined;
}

const readChecks = (
  nodes: readonly NodeDefinition[],
  { channels, effects, names, published, userFields, settings }: CheckFacts,
): CheckOptions => ({
  nodes,
  ...(channels !== undefined && { channels }),
  ...(userFields !== undefined && { userFields }),
  ...(settings !== undefined && { settings }),
  ...(effects !== undefined && { effects }),
  ...(names !== undefined && { resolve: (reference) => names.get(formatReferenceKey(reference)) }),
  ...(published !== undefined && { published: published.map(({ workflowId, canvas }) => ({ workflowId, canvas: readOwn(canvas) })) }),
});

/** Reads the JSON of a canvas that was made from a valid one. */
export const readOwn = (json: string): Canvas => JSON.parse(json) as Canvas;

/**
 * The work on canvases that can take long, by name. Each is a pure function of data that can be sent to another thread, and back. A text
 * is what somebody sent; JSON is that of a valid canvas.
 */
export const canvasTasks = {
  read(nodes: readonly NodeDefinition[], text: string): CanvasReading {
    const { canvas, problems } = readCanvas(text);
    if (canvas === undefined) return { problems: sortProblems(problems), canvas: undefined, id: undefined, ...nothingOutside };
    const isValid = problems.length === 0;
    return {
      problems: sortProblems(problems),
      canvas: isValid ? { json: JSON.stringify(canvas), hash: canvasHash(canvas) } : undefined,
      id: canvas.id,
      ...listReferences(canvas, nodes),
    };
  },
  references: (nodes: readonly NodeDefinition[], json: string): OutsideNames => listReferences(readOwn(json), nodes),
  /** Checks valid canvases, all against the same: what is made of published workflows is made once for them. */
  check(nodes: readonly NodeDefinition[], facts: CheckFacts, ...jsons: readonly string[]): readonly (readonly Problem[])[] {
    const checks = readChecks(nodes, facts);
    return jsons.map((json) => checkCanvas(readOwn(json), checks));
  },
  validate: (nodes: readonly NodeDefinition[], facts: CheckFacts, text: string): readonly Problem[] =>
    checkCanvasText(text, readChecks(nodes, facts)),
  /** As JSON in UTF-8, which is the answer to an editor: a million names of variables take the event loop a tenth of a second to write. */
  describe: (nodes: readonly NodeDefinition[], facts: CheckFacts, text: string): Uint8Array<ArrayBuffer> =>
    writeDescription(describeCanvas(text, readChecks(nodes, facts))),
  diff: (_nodes: readonly NodeDefinition[], before: string, after: string): CanvasDiff => diffCanvases(readOwn(before), readOwn(after)),
  draw: (nodes: readonly NodeDefinition[], json: string): Picture => drawCanvas(readOwn(json), nodes),
};

export const writeDescription = (description: CanvasDescription): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(description));

const nothingOutside: OutsideNames = { references: [], beginsWithMessage: false };

/** A piece of such work. */
export type TaskName = keyof typeof canvasTasks;
export type TaskArguments<Name extends TaskName> = (typeof canvasTasks)[Name] extends (
  nodes: readonly NodeDefinition[],
  ...given: infer Given
) => unknown
  ? Given
  : never;
export type TaskResult<Name extends TaskName> = ReturnType<(typeof canvasTasks)[Name]>;
