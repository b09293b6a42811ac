import { produce } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { type Bounds, measure, weigh } from './measure.ts';
import { forbiddenNames, getPath, type Path, setPath } from './path.ts';

/** Why writes were refused: the cause an author sees in `$error`. */
export interface Refusal {
  readonly cause: 'VALUE_TOO_LARGE' | 'VARIABLES_TOO_LARGE' | 'INVALID_PATH';
  readonly message: string;
  readonly details?: JsonObject;
}

/** The variables of one advance: what was committed, with the writes collected so far read through it. */
export interface VariableView extends Variables {
  /**
   * Takes all of these writes, or none of them.
   *
   * @param countedFrom - the first write whose value counts for {@link VariableView.valueBytes}
   */
  write(writes: readonly Write[], countedFrom?: number): Refusal | undefined;
  /** What the values of the last batch weigh together, as it was measured when they were taken. */
  valueBytes(): number;
  /** The bytes of all variables but what requests brought, this advance's writes counted. */
  bytes(): number;
  /** The variables after the advance: what was not written to is what it was. The view is over. */
  commit(): JsonObject;
}

/** A scope that was written to. */
interface Written {
  value: Json | undefined;
  /** Whether nobody else has seen `value`: then its names may be written in place. */
  isOwn: boolean;
}

type Members = { [name: string]: Json };

/**
 * Opens the variables of an execution for one advance.
 *
 * @param committed - scopes as keys: `{ $context: { … } }`; stays as it is: a scope is copied when it is first written to
 * @param committedBytes - what {@link VariableView.bytes} said after the previous advance
 */
export function openVariables(committed: JsonObject, committedBytes: number): VariableView {
  const scopes = new Map<string, Written>();
  let bytes = committedBytes;
  let work = 0;
  let valueBytes = 0;

  const get = (path: Path): Json | undefined => {
    const written = scopes.get(path[0] as string);
    if (written === undefined) return getPath(committed, path);
    if (path.length > 1) return getPath(written.value, path, 1);
    written.isOwn = false; // whoever reads the whole scope keeps it as it is now
    return written.value;
  };

  const writtenTo = (scope: string): Written => {
    const known = scopes.get(scope);
    if (known !== undefined) return known;
    const fresh = { value: getPath(committed, [scope]), isOwn: false };
    scopes.set(scope, fresh);
    return fresh;
  };

  /** Puts a value at a scope, or at a name of one. A name inside a text or a list makes an object of the scope. */
  const put = (written: Written, name: string | undefined, value: Json | undefined): void => {
    if (name === undefined) {
      written.value = value;
      written.isOwn = false;
      return;
    }
    if (!written.isOwn) {
      written.value = isJsonObject(written.value) ? { ...written.value } : {};
      written.isOwn = true;
    }
    const members = written.value as Members;
    if (value === undefined) delete members[name];
    else members[name] = value;
  };

  /** Puts a value at a scope or at a name of one, and counts it. */
  const replace = (written: Written, name: string | undefined, value: Json | undefined, more: number): void => {
    bytes += more;
    put(written, name, value);
  };

  /** Takes one write. @param undo - is told how to take it back @returns why it is refused */
  const take = ({ path, value }: Write, isCounted: boolean, undo: (() => void)[] | undefined): Refusal | undefined => {
    const scope = String(path[0]);
    const name = path.length === 1 ? undefined : String(path[1]);
    if (name !== undefined && forbiddenNames.has(name))
      return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: "${name}" cannot be part of a path` };
    const written = writtenTo(scope);
    const before = name === undefined ? written.value : getPath(written.value, [name]);
    const after = path.length <= 2 ? value : within(before, path.slice(2), value);
    if (after === impossible)
      return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: it is no position of this list` };
    const size = judge(scope, after);
    if (typeof size === 'string') return { cause: 'VALUE_TOO_LARGE', message: `The value of ${path.join('.')} is refused: ${size}` };
    if (isCounted) valueBytes += path.length <= 2 ? size : weigh(value);
    const isOfName = isJsonObject(written.value);
    const replaced = name === undefined || isOfName ? before : written.value;
    const more = (ofRequests.has(scope) ? 0 : size) - weight(scope, replaced);
    if (undo !== undefined) {
      const scopeBefore = written.value;
      undo.push(() =>
        name === undefined || !isOfName ? replace(written, undefined, scopeBefore, -more) : replace(written, name, before, -more),
      );
    }
    replace(written, name, after, more);
    return undefined;
  };

  return {
    get,
    spend: (more) => (work += more) <= limits.advanceWork,
    bytes: () => bytes,
    valueBytes: () => valueBytes,
    write(writes, countedFrom = 0) {
      valueBytes = 0;
      if (writes.length === 0) return undefined;
      // One write that no other follows is taken back by nobody, unless all variables together are too large by then.
      const undo: (() => void)[] | undefined = writes.length === 1 && bytes < safeBytes ? undefined : [];
      let refusal: Refusal | undefined;
      for (let index = 0; index < writes.length && refusal === undefined; index += 1)
        refusal = take(writes[index] as Write, index >= countedFrom, undo);
      if (refusal === undefined && bytes > limits.variablesBytes)
        refusal = {
          cause: 'VARIABLES_TOO_LARGE',
          message: `All variables together would have more than ${limits.variablesBytes} bytes`,
        };
      if (refusal !== undefined) for (const takeBack of undo?.reverse() ?? []) takeBack();
      return refusal;
    },
    commit() {
      if (scopes.size === 0) return committed;
      const after: Members = { ...committed };
      for (const [scope, { value }] of scopes) {
        if (value === undefined) delete after[scope];
        else after[scope] = value;
      }
      return after;
    },
  };
}

/** Below this, no single value that is taken can make all variables together too large. */
const safeBytes = limits.variablesBytes - limits.valueBytes;

/**
 * Scopes that hold what requests brought: bounded by the limits of requests, one by one, so that what was accepted never
 * fails the execution that it is for (P33). The history's limit bounds them all together.
 */
const ofRequests: ReadonlySet<string> = new Set(['$webhook', '$message', '$messages', '$input']);

const ofMemory: Bounds = { bytes: limits.memoryJsonBytes, keys: limits.keys, depth: limits.depth };

/** The bytes of a value, or why its scope refuses it (P16, VAR-08). */
function judge(scope: string, value: Json | undefined): number | string {
  if (value === undefined) return 0;
  if (scope === '$memory' && typeof value === 'string' && isLonger(value, limits.memoryTextChars)) {
    return `a text in $memory has at most ${limits.memoryTextChars} characters`;
  }
  const isOfRequest = ofRequests.has(scope);
  const size = measure(value, isOfRequest ? limits.request : scope === '$memory' ? ofMemory : undefined);
  return size.kind === 'refused' ? size.reason : size.bytes;
}

/** Whether a text has more code points, each of one or two units, than allowed. */
const isLonger = (text: string, maxChars: number): boolean =>
  text.length > maxChars && (text.length > 2 * maxChars || Array.from(text).length > maxChars);

/** The bytes of a value that was taken before. */
const weight = (scope: string, value: Json | undefined): number => (value === undefined || ofRequests.has(scope) ? 0 : weigh(value));

/** The bytes of variables that count for their limit: of all but what requests brought. */
export const countedBytes = (variables: JsonObject): number =>
  Object.entries(variables).reduce((bytes, [scope, value]) => bytes + weight(scope, value), 0);

const impossible = Symbol('impossible');

/** A value with something written inside it, sharing the rest. */
function within(value: Json | undefined, path: Path, inner: Json | undefined): Json | typeof impossible {
  const root: JsonObject = { value: typeof value === 'object' && value !== null ? value : {} };
  try {
    return produce(root, (draft) => setPath(draft, ['value', ...path], inner))['value'] ?? {};
  } catch (error) {
    if (error instanceof RangeError) return impossible;
    throw error;
  }
}
