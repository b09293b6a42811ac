// Reads the data of one node by its definition, and what to leave out of the checks where it has faults.
import type { CanvasNode } from '../contract/canvas.ts';
import { CommonData, divideData } from '../contract/common-data.ts';
import { HiloError } from '../contract/errors.ts';
import { isJsonObject, type Json } from '../contract/json.ts';
import type { NodeDefinition } from '../contract/node.ts';
import { type Problem, pointer } from '../contract/problem.ts';
import { compileText } from '../expressions/template.ts';
import { findText } from '../expressions/text-search.ts';
import { isEmpty } from '../variables/declared.ts';
import { getPath, type Path, parsePath } from '../variables/path.ts';
import { collectFindings, describeIssue, type Finding } from './config-issues.ts';
import { problem } from './problem-codes.ts';
import { describeThrown } from './shield.ts';

/** The parsed data of a node, without its invalid fields. */
interface NodeData {
  readonly config: unknown;
  readonly common: CommonData;
}

/** A node parsed by itself, without its edges. */
export interface ParsedNode {
  readonly id: string;
  readonly type: string;
  /** Its index in the canvas's list of nodes. */
  readonly index: number;
  readonly definition: NodeDefinition;
  /** `undefined` when a required field is invalid. */
  readonly read: NodeData | undefined;
  /** Its templates: of its config, or of the texts in its data when there is no config. */
  readonly templates: unknown;
  /** Invalid fields, as JSON pointers. Further problems there are consequences of that. */
  readonly wrong: readonly string[];
  /** The paths that its invalid fields may write: none when all fields are valid, `undefined` when it may be any path. */
  readonly mayWrite: readonly Path[] | undefined;
}

/** Replaces data that is no object, which parsing reported already. */
export const unreadData: CanvasNode['data'] = Object.freeze({});

/** The number of invalid fields up to which a node is parsed again without them. */
const maxWrong = 100;

/** Parses the data of one node and reports each invalid field; the rest is then parsed without those. */
export function readNode({ id, type, data }: CanvasNode, index: number, definition: NodeDefinition, problems: Problem[]): ParsedNode {
  const identity = { id, type, index, definition };
  if (data === unreadData)
    return { ...identity, read: undefined, templates: [], wrong: [pointer(['nodes', index, 'data'])], mayWrite: undefined };
  const { read, findings } = parseData(data, definition);
  if (findings.length === 0) return { ...identity, read, templates: read?.config, wrong: none, mayWrite: none };

  for (const { code, at, message, expression } of findings) {
    const range = expression === undefined ? undefined : findRange(getPath(data, at.map(String)), expression);
    problems.push({ ...problem(code, ['nodes', index, 'data', ...at], message, id), ...(range !== undefined && { range }) });
  }
  const wrong = findings.map(({ at }) => pointer(['nodes', index, 'data', ...at]));
  if (findings.length > maxWrong) return { ...identity, read: undefined, templates: [], wrong, mayWrite: undefined };
  const rest = structuredClone(data);
  const removed = findings.map(({ at }) => removeAt(rest, at));
  const { read: part } = parseData(rest, definition);
  const { writingFields } = definition;
  const isWritingFieldWrong = findings.some(
    ({ at: [field], code }) =>
      code !== 'UNKNOWN_FIELD' && (writingFields === undefined || field === undefined || writingFields.includes(String(field))),
  );
  return {
    ...identity,
    read: part,
    templates: part?.config ?? compileTexts(divideData(rest).config as Json),
    wrong,
    mayWrite: isWritingFieldWrong ? undefined : collectNamedPaths(part === undefined ? data : removed),
  };
}

/** Drops the problems that follow from an invalid field: those at its place, inside it or around it. */
export function dropConsequences(problems: readonly Problem[], parsedNodes: readonly ParsedNode[]): readonly Problem[] {
  const wrongAt = new Map(parsedNodes.filter(({ wrong }) => wrong.length > 0).map(({ index, wrong }) => [String(index), wrong]));
  return problems.filter(({ pointer: place }) => {
    const [, index = ''] = /^\/nodes\/(\d+)\/data/.exec(place) ?? [];
    const wrong = wrongAt.get(index) ?? [];
    return !wrong.some((at) => at === place || place.startsWith(`${at}/`) || at.startsWith(`${place}/`));
  });
}

/** Every path that the texts in some data could name as one to write. */
function collectNamedPaths(value: unknown): readonly Path[] {
  const found: Path[] = [['$item']];
  const visit = (part: unknown): void => {
    if (typeof part === 'string') found.push(['$webhook', part], parsePath(part) ?? []);
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return found.filter((path) => path.length > 0);
}

const none: readonly never[] = [];

/** The common data of nearly every node. */
const noCommon = CommonData.safeParse({});

/** A node's data that was read without findings, for the definition that read it. */
interface KnownData {
  readonly definition: Pick<NodeDefinition, 'config' | 'supports'>;
  /** The data as it was then, since its object belongs to a caller. */
  readonly text: string;
  readonly read: NonNullable<ParsedNode['read']>;
}

/**
 * What was read of data, by its object: a canvas is compiled for its check, for its executions, and in simulations again and again, and to
 * read its data is most of the work. By object and not by content, so that no time of a check tells what another company has.
 */
const knownData = new WeakMap<object, KnownData>();

function parseData(data: CanvasNode['data'], definition: NodeDefinition) {
  const text = writeText(data);
  const known = knownData.get(data);
  if (
    known !== undefined &&
    known.text === text &&
    known.definition.config === definition.config &&
    known.definition.supports === definition.supports
  )
    return { read: known.read, findings: none };
  const parsed = parseAnew(data, definition);
  if (parsed.read !== undefined && text !== undefined) knownData.set(data, { definition, text, read: parsed.read });
  return parsed;
}

/** A value as text, by which it is known again; `undefined` for one that has none. */
export function writeText(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // it is no JSON, which its parse reports
  }
}

function parseAnew(data: CanvasNode['data'], definition: NodeDefinition) {
  const { common, config } = divideData(data);
  const parsedCommon = isEmpty(common) ? noCommon : CommonData.safeParse(common, { error: describeIssue });
  const findings: Finding[] = collectFindings(parsedCommon.error?.issues ?? [], 'INVALID_CONFIG').slice();
  if (!definition.supports.retry && common['retry'] !== undefined) findings.push(refuseRetry(definition));
  try {
    const parsedConfig = definition.config.safeParse(config, { error: describeIssue });
    if (parsedCommon.success && parsedConfig.success && findings.length === 0)
      return { read: { config: parsedConfig.data, common: parsedCommon.data }, findings: none };
    findings.push(...collectFindings(parsedConfig.error?.issues ?? [], 'INVALID_CONFIG'));
  } catch (error) {
    findings.push({ code: 'INVALID_CONFIG', at: [], message: describeThrown(definition.type, error) });
  }
  return { read: undefined, findings };
}

const refuseRetry = ({ type }: NodeDefinition): Finding => ({
  code: 'INVALID_CONFIG',
  at: ['retry'],
  message: `A node of the type "${type}" tries again by itself: leave "retry" out`,
});

/** Removes a field of an object and returns its value. An item of a list stays, since the places of later items would change. */
function removeAt(data: object, at: readonly PropertyKey[]): unknown {
  const [last] = at.slice(-1);
  let parent: unknown = data;
  for (const step of at.slice(0, -1)) parent = typeof parent === 'object' && parent !== null ? Reflect.get(parent, step) : undefined;
  if (last === undefined || typeof parent !== 'object' || parent === null) return undefined;
  const removed: unknown = Reflect.get(parent, last);
  if (!Array.isArray(parent)) Reflect.deleteProperty(parent, last);
  return removed;
}

/** Any data with its texts compiled as templates; malformed ones are left out. */
function compileTexts(value: Json): unknown {
  if (typeof value === 'string') {
    try {
      return value.includes('{{') ? compileText(value) : undefined;
    } catch (error) {
      if (error instanceof HiloError) return undefined; // reported where the node's schema wants a template
      throw error;
    }
  }
  if (Array.isArray(value)) return value.map(compileTexts);
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, compileTexts(item)]));
}

/** The range of an expression in a text, in UTF-16 units. */
function findRange(text: Json | undefined, expression: string): { readonly start: number; readonly end: number } | undefined {
  const start = typeof text === 'string' ? findText(text, expression) : -1;
  return start < 0 ? undefined : { start, end: start + expression.length };
}
