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
import { collectFindings, describeIssue } from './config-issues.ts';
import { problem } from './problem-codes.ts';

/** The data of a node: all of it, or the rest without its invalid fields. */
export interface ReadNode {
  readonly config: unknown;
  readonly common: CommonData;
}

/** A node as far as it can be looked at by itself, without the edges around it. */
export interface LoneNode {
  readonly id: string;
  readonly type: string;
  /** Its position in the canvas's list of nodes. */
  readonly index: number;
  readonly definition: NodeDefinition;
  /** `undefined` where a field that it cannot do without is wrong. */
  readonly read: ReadNode | undefined;
  /** Its templates: of its config, or of the texts in its data when there is no config. */
  readonly templates: unknown;
  /** Invalid fields, as JSON pointers. Further problems of them are consequences. */
  readonly wrong: readonly string[];
  /** The paths that its invalid fields might write: none when all are valid, `undefined` when it may be any. */
  readonly mayWrite: readonly Path[] | undefined;
}

/** Data that is no object, which parsing reported already. */
export const unreadData: CanvasNode['data'] = Object.freeze({});

/** Fields of the standard nodes with the path that a node writes. */
const writingFields: ReadonlySet<PropertyKey> = new Set(['saveAs', 'path', 'variableName', 'assignments']);

/** More mistakes than one node has by accident: what else is wrong with it is not looked for. */
const mostWrong = 100;

/** Parses the data of one node, with or without its invalid fields, and reports each of those. */
export function readNode({ id, type, data }: CanvasNode, index: number, definition: NodeDefinition, problems: Problem[]): LoneNode {
  const lone = { id, type, index, definition };
  if (data === unreadData)
    return { ...lone, read: undefined, templates: [], wrong: [pointer(['nodes', index, 'data'])], mayWrite: undefined };
  const { read, findings } = parseData(data, definition);
  if (findings.length === 0) return { id, type, index, definition, read, templates: read?.config, wrong: none, mayWrite: none };

  for (const { code, at, message, expression } of findings) {
    const range = expression === undefined ? undefined : findRange(getPath(data, at.map(String)), expression);
    problems.push({ ...problem(code, ['nodes', index, 'data', ...at], message, id), ...(range !== undefined && { range }) });
  }
  const wrong = findings.map(({ at }) => pointer(['nodes', index, 'data', ...at]));
  if (findings.length > mostWrong) return { ...lone, read: undefined, templates: [], wrong, mayWrite: undefined };
  const rest = structuredClone(data);
  const removed = findings.map(({ at }) => removeAt(rest, at));
  const { read: part } = parseData(rest, definition);
  const isWritingFieldWrong = findings.some(({ at, code }) => code !== 'UNKNOWN_FIELD' && at.some((step) => writingFields.has(step)));
  return {
    ...lone,
    read: part,
    templates: part?.config ?? compileTexts(divideData(rest).config as Json),
    wrong,
    mayWrite: isWritingFieldWrong ? undefined : collectNamedPaths(part === undefined ? data : removed),
  };
}

/** Problems of a node without those that follow from an invalid field: at its place, inside it or around it. */
export function dropConsequences(problems: readonly Problem[], lone: readonly LoneNode[]): readonly Problem[] {
  const wrongAt = new Map(lone.filter(({ wrong }) => wrong.length > 0).map(({ index, wrong }) => [String(index), wrong]));
  return problems.filter(({ pointer: place }) => {
    const [, index = ''] = /^\/nodes\/(\d+)\/data/.exec(place) ?? [];
    const wrong = wrongAt.get(index) ?? [];
    return !wrong.some((at) => at === place || place.startsWith(`${at}/`) || at.startsWith(`${place}/`));
  });
}

/** Every variable that texts in some data could name as written. */
function collectNamedPaths(value: unknown): readonly Path[] {
  const found: Path[] = [['$item']];
  const look = (part: unknown): void => {
    if (typeof part === 'string') found.push(['$webhook', part], parsePath(part) ?? []);
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(look);
  };
  look(value);
  return found.filter((path) => path.length > 0);
}

const none: readonly never[] = [];

/** Of nearly every node. */
const noCommon = CommonData.safeParse({});

function parseData(data: CanvasNode['data'], definition: NodeDefinition) {
  const { common, config } = divideData(data);
  const parsedCommon = isEmpty(common) ? noCommon : CommonData.safeParse(common, { error: describeIssue });
  const parsedConfig = definition.config.safeParse(config, { error: describeIssue });
  if (parsedCommon.success && parsedConfig.success)
    return { read: { config: parsedConfig.data, common: parsedCommon.data }, findings: none };
  return {
    read: undefined,
    findings: [parsedCommon, parsedConfig].flatMap(({ error }) => collectFindings(error?.issues ?? [], 'INVALID_CONFIG')),
  };
}

/** Removes a field of an object, and returns its value; an item of a list stays, since later places would move. */
function removeAt(data: object, at: readonly PropertyKey[]): unknown {
  const [last] = at.slice(-1);
  let parent: unknown = data;
  for (const step of at.slice(0, -1)) parent = typeof parent === 'object' && parent !== null ? Reflect.get(parent, step) : undefined;
  if (last === undefined || typeof parent !== 'object' || parent === null) return undefined;
  const held: unknown = Reflect.get(parent, last);
  if (!Array.isArray(parent)) Reflect.deleteProperty(parent, last);
  return held;
}

/** The texts of any data as templates, with their places; malformed ones are left out. */
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

/** The place of an expression in a text. */
function findRange(text: Json | undefined, expression: string): { readonly start: number; readonly end: number } | undefined {
  const start = typeof text === 'string' ? findText(text, expression) : -1;
  return start < 0 ? undefined : { start, end: start + expression.length };
}
