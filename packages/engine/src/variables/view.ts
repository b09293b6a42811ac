import { produce } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { type Bounds, type Measure, measure, maxBytesOfUnit, notJson, ofValue, sizeOf, surplusOf } from './measure.ts';
import { getPath, isForbidden, type Path, setPath } from './path.ts';

/** Why writes were refused: the cause an author sees in `$error`. */
export interface Refusal {
  readonly cause: 'VALUE_TOO_LARGE' | 'VALUE_NOT_JSON' | 'VARIABLES_TOO_LARGE' | 'INVALID_PATH';
  readonly message: string;
  readonly details?: JsonObject;
}

type Members = { [name: string]: Json };

/** The variables of one advance: the committed ones, with the writes collected so far on top. */
export class VariableView implements Variables {
  nowMs = 0;
  /** What names the waits of the execution for third parties. */
  addresses: Pick<Variables, 'resumeUrl'> | undefined;
  #scopes: JsonObject;
  #size: number;
  #valuesSize = 0;
  #work = 0;
  /** Whether `#scopes` is the view's own, and which of the scopes are: no other code has seen those, so they are written in place. */
  #isOwn = false;
  #own: string[] = [];
  /** Bytes beyond `#size`: counted only when the size alone does not decide whether the variables are too large. */
  #surplus: number | undefined;
  /** A value of a request that is about to be written, and its measure. */
  #weighed: Json | undefined;
  #measured: Measure | undefined;

  /**
   * @param committed - scopes as keys: `{ $context: { … } }`; stays as it is: a scope is copied when it is first written to
   * @param committedSize - what {@link VariableView.size} was after the previous advance
   */
  constructor(committed: JsonObject, committedSize: number) {
    this.#scopes = committed;
    this.#size = committedSize;
  }

  get(path: Path): Json | undefined {
    if (path.length === 1 && this.#own.length > 0) this.#own = this.#own.filter((scope) => scope !== path[0]); // kept as it is now
    return getPath(this.#scopes, path);
  }

  spend(work: number): boolean {
    this.#work += work;
    return this.#work <= limits.advanceWork;
  }

  resumeUrl(nodeId: string | undefined): string | { readonly refused: string } | undefined {
    return this.addresses?.resumeUrl?.(nodeId);
  }

  /** The work of its expressions so far (P20). */
  get work(): number {
    return this.#work;
  }

  /** The size of all variables except those of requests, including this advance's writes. */
  get size(): number {
    return this.#size;
  }

  /** The total size of the values of the last batch, as measured when they were applied. */
  get valuesSize(): number {
    return this.#valuesSize;
  }

  /** The size of a request's value that is about to be written: measured once, for the history and for its limits. */
  weigh(value: Json | undefined): number {
    this.#weighed = value;
    this.#measured = measure(value, limits.request);
    return this.#measured.kind === 'fits' ? this.#measured.size : sizeOf(value);
  }

  /**
   * Applies all of these writes, or none of them.
   *
   * @param countedFrom - the first write whose value counts for {@link VariableView.valuesSize}
   */
  write(writes: readonly Write[], countedFrom = 0): Refusal | undefined {
    this.#valuesSize = 0;
    if (writes.length === 0) return undefined;
    // A single write below this size is applied or refused as a whole; it cannot make all variables together too large.
    if (writes.length === 1 && this.#size < safeSize) return this.#take(writes[0] as Write, countedFrom === 0);
    const [scopes, size, surplus] = [this.#scopes, this.#size, this.#surplus];
    this.#isOwn = false;
    this.#own = [];
    let refusal: Refusal | undefined;
    for (let index = 0; index < writes.length && refusal === undefined; index += 1)
      refusal = this.#take(writes[index] as Write, index >= countedFrom);
    if (refusal === undefined && this.#isTooLarge())
      refusal = {
        cause: 'VARIABLES_TOO_LARGE',
        message: `All variables together would have more than ${limits.variablesBytes} bytes`,
      };
    if (refusal === undefined) return undefined;
    [this.#scopes, this.#size, this.#surplus] = [scopes, size, surplus];
    this.#isOwn = false;
    this.#own = [];
    return refusal;
  }

  /** The variables after the advance: unwritten ones are identical. Ends the view. */
  commit(): JsonObject {
    return this.#scopes;
  }

  /** Takes one write. @returns why it is refused */
  #take({ path, value }: Write, isCounted: boolean): Refusal | undefined {
    if (!Array.isArray(path))
      return { cause: 'INVALID_PATH', message: `A write to ${String(path)} was refused: a path is a list, such as ["$context", "name"]` };
    const scope = String(path[0]);
    const name = path.length === 1 ? undefined : String(path[1]);
    if (name !== undefined && isForbidden(name))
      return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: "${name}" cannot be part of a path` };
    const inScope = ownMember(this.#scopes, scope);
    const before = name === undefined || !isJsonObject(inScope) ? inScope : ownMember(inScope, name);
    const after = path.length <= 2 ? value : within(isJsonObject(inScope) ? before : undefined, path.slice(2), value);
    if (after === impossible)
      return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: it is no position of this list` };
    const size = judge(scope, after, after === this.#weighed ? this.#measured : undefined);
    if (typeof size === 'string') {
      const cause = size === notJson ? 'VALUE_NOT_JSON' : 'VALUE_TOO_LARGE';
      return { cause, message: `The value of ${path.join('.')} is refused: ${size}` };
    }
    if (isCounted) this.#valuesSize += path.length <= 2 ? size : sizeOf(value);
    if (!isOfRequest(scope)) {
      this.#size += size - (before === undefined ? 0 : sizeOf(before));
      if (this.#surplus !== undefined) this.#surplus += surplusOf(after) - surplusOf(before);
    }
    this.#put(scope, name, inScope, after);
    return undefined;
  }

  /** Sets a value at a scope, or at a name of one. A name inside a text or a list turns the scope into an object. */
  #put(scope: string, name: string | undefined, inScope: Json | undefined, value: Json | undefined): void {
    if (!this.#isOwn) this.#scopes = { ...this.#scopes };
    this.#isOwn = true;
    const scopes: Members = this.#scopes;
    if (name === undefined) {
      this.#own = this.#own.filter((own) => own !== scope);
      if (value === undefined) delete scopes[scope];
      else scopes[scope] = value;
      return;
    }
    let members = inScope as Members;
    if (!this.#own.includes(scope)) {
      members = isJsonObject(inScope) ? { ...inScope } : {};
      scopes[scope] = members;
      this.#own.push(scope);
    }
    if (value === undefined) delete members[name];
    else members[name] = value;
  }

  /** Whether all variables together, without those of requests, are too large: counted in bytes only when their size does not decide. */
  #isTooLarge(): boolean {
    if (this.#size * maxBytesOfUnit <= limits.variablesBytes) return false;
    this.#surplus ??= sumSizes(this.#scopes, surplusOf);
    return this.#size + this.#surplus > limits.variablesBytes;
  }
}

/** Below this, no accepted value can make all variables together too large. */
const safeSize = limits.variablesBytes / maxBytesOfUnit - limits.valueBytes;

/**
 * Whether a scope holds requests: those are bounded one by one by the limits of requests, so that accepted input never fails its
 * execution (P33). The history's limit bounds them all together.
 */
const isOfRequest = (scope: string): boolean => scope === '$webhook' || scope === '$message' || scope === '$messages' || scope === '$input';

const ofMemory: Bounds = { bytes: limits.memoryJsonBytes, keys: limits.keys, depth: limits.depth };

/**
 * The size of a value, or why its scope refuses it (P16, VAR-08).
 *
 * @param asOfRequest - its measure as the value of a request, where that is known
 */
function judge(scope: string, value: Json | undefined, asOfRequest: Measure | undefined): number | string {
  if (value === undefined) return 0;
  if (scope === '$memory' && typeof value === 'string' && isLonger(value, limits.memoryTextChars)) {
    return `a text in $memory has at most ${limits.memoryTextChars} characters`;
  }
  const bounds = isOfRequest(scope) ? limits.request : scope === '$memory' ? ofMemory : ofValue;
  if (typeof value === 'string' && (value.length + 2) * maxBytesOfUnit <= bounds.bytes) return value.length + 2;
  const measured = (bounds === limits.request ? asOfRequest : undefined) ?? measure(value, bounds);
  return measured.kind === 'refused' ? measured.reason : measured.size;
}

/** Whether a text has more code points, each of one or two units, than allowed. */
const isLonger = (text: string, maxChars: number): boolean =>
  text.length > maxChars && (text.length > 2 * maxChars || Array.from(text).length > maxChars);

/** The total size of the limited variables: all except those of requests. */
export const countedSize = (variables: JsonObject): number => sumSizes(variables, sizeOf);

function sumSizes(variables: JsonObject, count: (value: Json | undefined) => number): number {
  let sum = 0;
  for (const scope in variables) if (!isOfRequest(scope)) sum += count(variables[scope]);
  return sum;
}

const ownMember = (members: JsonObject, name: string): Json | undefined => (Object.hasOwn(members, name) ? members[name] : undefined);

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

/** The variables after a write to a name of a scope: the view of a node that has written already. A refused write changes nothing. */
export function applyWrite(variables: Variables, { path: [scope, name = '', ...below], value: given }: Write): Variables {
  const value = below.length === 0 ? given : within(variables.get([String(scope), name]), below, given);
  if (value === impossible) return variables;
  return {
    ...variables,
    spend: (work) => variables.spend?.(work) !== false,
    resumeUrl: (nodeId) => variables.resumeUrl?.(nodeId),
    get(path) {
      if (path[0] !== scope || (path.length > 1 && String(path[1]) !== String(name))) return variables.get(path);
      if (path.length > 1) return getPath(value, path, 2);
      const base = variables.get(path);
      const entries: Members = { ...(isJsonObject(base) ? base : undefined) };
      if (value === undefined) delete entries[name];
      else entries[name] = value;
      return entries;
    },
  };
}
