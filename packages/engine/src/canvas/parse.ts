// Parses a canvas, or says everything that keeps it from being one.
import { z } from 'zod';
import { Canvas, CanvasEdge, CanvasNode, CanvasSettings, schemaVersion } from '../contract/canvas.ts';
import { Json, JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Problem } from '../contract/problem.ts';
import { utf8Bytes } from '../variables/measure.ts';
import { getPath } from '../variables/path.ts';
import { unread } from './compile.ts';
import { explainForeign } from './other-names.ts';
import { collectFindings, describeIssue } from './config-issues.ts';
import { plainJson, type ReadText, readJsonText } from './read-json.ts';
import { problem, sortProblems, tooLarge } from './problem-codes.ts';
import { unreadData, writeText } from './read-node.ts';

/** The result of parsing: a canvas, or the problems that it has instead. */
export interface ParsedCanvas {
  readonly canvas?: Canvas;
  readonly problems: readonly Problem[];
}

/**
 * Parses a canvas from a text or an object. Never throws, for any input.
 *
 * @returns the canvas when its shape is valid, else only the problems. The nodes and the graph are checked by `checkCanvas`
 */
export function parseCanvas(input: unknown): ParsedCanvas {
  if (typeof input === 'object' && input !== null && isParsed(input)) return { canvas: input, problems: [] };
  const { canvas, problems } = readCanvas(input);
  if (canvas === undefined || problems.length > 0) return { problems: sortProblems(problems) };
  const text = writeText(canvas);
  if (text !== undefined) parsedCanvases.set(canvas, text);
  return { canvas, problems };
}

/**
 * Canvases that {@link parseCanvas} returned, with their texts then, since their objects belong to a caller: to parse one again, as each
 * simulation does, would give a copy of it.
 */
const parsedCanvases = new WeakMap<object, string>();

/** Notes that a canvas was parsed before, such as in another thread. @param json - what it was read of here */
export function noteParsed(canvas: Canvas, json: string): Canvas {
  parsedCanvases.set(canvas, json);
  return canvas;
}

function isParsed(input: object): input is Canvas {
  const text = parsedCanvases.get(input);
  return text !== undefined && text === writeText(input);
}

/**
 * Like {@link parseCanvas}, but also returns a canvas when the rest of it can be checked without the reported parts: unreadable parts are
 * left out or, where that is impossible, replaced by {@link unread}.
 */
export function readCanvas(input: unknown): ReadCanvas {
  const { value, problems } = readPlain(input);
  if (problems.some(({ code }) => code !== 'FORBIDDEN_KEY' && code !== 'REPEATED_KEY')) return { problems };

  const foreign = explainForeign(value);
  if (foreign !== undefined) return { problems: [...problems, problem('INVALID_CANVAS', [], foreign)] };
  const version = getPath(value as Json, ['schemaVersion']);
  if (version !== undefined && version !== schemaVersion) {
    const message = `schemaVersion is ${JSON.stringify(version)}; this Hilo reads ${schemaVersion}`;
    return { problems: [...problems, problem('UNSUPPORTED_SCHEMA_VERSION', ['schemaVersion'], message)] };
  }
  const parsed = Canvas.safeParse(value, { error: describeIssue });
  if (parsed.success) return { canvas: parsed.data, problems };
  const findings = collectFindings(parsed.error.issues, 'INVALID_CANVAS');
  const found = [...problems, ...findings.map(({ code, at, message }) => problem(code, at, message, findNodeId(value, at)))];
  const rest = ReadableCanvas.safeParse(value);
  if (!rest.success) return { problems: found };
  const edges = getPath(value as Json, ['edges']);
  const isUnread =
    (edges !== undefined && !Array.isArray(edges)) || hasUnreadEnd(rest.data) || (edges === undefined && isNamedOtherwise(found, 'edges'));
  for (const [index, node] of rest.data.nodes.entries()) {
    const isElsewhere =
      getPath(value as Json, ['nodes', index, 'data']) === undefined && isNamedOtherwise(found, 'data', `/nodes/${index}/`);
    if (isElsewhere) rest.data.nodes[index] = { ...node, data: unreadData };
  }
  return { canvas: rest.data, problems: found, edgesUnread: isUnread, source: value as Json };
}

/** A canvas as far as it can be checked, and its problems. */
export interface ReadCanvas extends ParsedCanvas {
  /** Whether the list of edges is unreadable; `false` by default. */
  readonly edgesUnread?: boolean;
  /** What was read, with the parts that the canvas is without; left out where that is nothing. */
  readonly source?: Json;
}

/** Whether an edge says with something else where it begins or ends: then any node may be connected by it. */
const hasUnreadEnd = ({ edges }: Pick<Canvas, 'edges'>): boolean =>
  edges.some(({ source, target }) => (source as string) === unread || (target as string) === unread);

const isNamedOtherwise = (problems: readonly Problem[], field: string, within = '/'): boolean =>
  problems.some(
    ({ code, message, pointer }) => code === 'UNKNOWN_FIELD' && pointer.startsWith(within) && message.endsWith(`did you mean "${field}"?`),
  );

const ReadableDeclaration = z
  .object({ type: z.literal('any').catch('any'), default: Json.optional() })
  .catch({ type: 'any', default: null }); // assumed to have a default, so that reads of the variable are not reported

const ReadableDeclarations = z.record(z.string(), ReadableDeclaration).catch({});

/** The id of a node as any text, valid or not. */
const ReadableId = z.string().catch(unread).brand<'NodeId'>();

/** The format of a canvas with a replacement for each malformed part, all of which are reported already. */
const ReadableCanvas = z.object({
  schemaVersion: z.literal(schemaVersion).catch(schemaVersion),
  id: z.string().catch(unread).brand<'WorkflowId'>(),
  name: z.string().catch('Unnamed'),
  kind: Canvas.shape.kind.catch('skill'),
  settings: z
    .object({
      sessionExpiry: CanvasSettings.shape.sessionExpiry.catch(undefined),
      channels: CanvasSettings.shape.channels.catch(undefined),
      inheritedWebhooks: z.array(z.string().catch(unread)).optional().catch(undefined),
      inputs: ReadableDeclarations.optional(),
      outputs: ReadableDeclarations.optional(),
    })
    .catch({})
    .default({}),
  variables: ReadableDeclarations.default({}),
  nodes: z
    .array(
      z
        .object({
          id: ReadableId,
          type: CanvasNode.shape.type.catch(unread),
          version: CanvasNode.shape.version.catch(undefined),
          data: JsonObject.default({}).catch(unreadData),
        })
        .catch(() => ({ id: ReadableId.parse(unread), type: unread, data: unreadData })),
    )
    .catch([]),
  edges: z
    .array(
      z
        .object({
          id: CanvasEdge.shape.id.catch(undefined),
          source: ReadableId,
          sourceHandle: CanvasEdge.shape.sourceHandle.catch(unread),
          target: ReadableId,
        })
        .catch(() => ({ source: ReadableId.parse(unread), sourceHandle: unread, target: ReadableId.parse(unread) })),
    )
    .catch([])
    .default([]),
});

/** Reads a text or an object as plain JSON. An object has the limits of its JSON text; its getters and proxies may throw. */
function readPlain(input: unknown): ReadText {
  if (typeof input === 'string') {
    const read = readJsonText(input);
    if (!('value' in read)) return read;
    const plain = checkSize(input) ?? plainJson(read.value);
    return { ...plain, problems: [...read.problems, ...plain.problems] };
  }
  try {
    const plain = plainJson(input);
    return plain.problems.length > 0 ? plain : (checkSize(JSON.stringify(plain.value)) ?? plain);
  } catch {
    return refusal(problem('INVALID_CANVAS', [], 'The canvas cannot be read: it throws when it is looked at'));
  }
}

const refusal = (problem: Problem): ReadText => ({ problems: [problem] });

/** Each expression is compiled: a canvas of little else would keep the check busy for seconds. */
const maxExpressions = 50_000;

function checkSize(text: string): ReadText | undefined {
  if (utf8Bytes(text) > limits.bodyBytes) return refusal(tooLarge());
  let count = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) count += 1;
  if (count <= maxExpressions) return undefined;
  return refusal(problem('CANVAS_TOO_LARGE', [], `The canvas has ${count} expressions; at most ${maxExpressions} are read`));
}

/** The id of the node that a place lies in. */
function findNodeId(value: unknown, [list, index]: readonly PropertyKey[]): string | undefined {
  const id = list === 'nodes' && typeof index === 'number' ? getPath(value as Json, [list, index, 'id']) : undefined;
  return typeof id === 'string' ? id : undefined;
}
