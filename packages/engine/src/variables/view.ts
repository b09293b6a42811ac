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
  /** Takes all of these writes, or none of them. */
  write(writes: readonly Write[]): Refusal | undefined;
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

  /** Takes one write. @returns how to take it back, or why it is refused */
  const take = ({ path, value }: Write): (() => void) | Refusal => {
    const scope = String(path[0]);
    const name = path.length === 1 ? undefined : String(path[1]);
    const refusal = (cause: 'INVALID_PATH' | 'VALUE_TOO_LARGE', why: string): Refusal => ({ cause, message: why });
    if (name !== undefined && forbiddenNames.has(name))
      return refusal('INVALID_PATH', `A write to ${path.join('.')} was refused: "${name}" cannot be part of a path`);
    const written = writtenTo(scope);
    const before = name === undefined ? written.value : getPath(written.value, [name]);
    const after = path.length <= 2 ? value : within(before, path.slice(2), value);
    if (after === impossible) return refusal('INVALID_PATH', `A write to ${path.join('.')} was refused: it is no position of this list`);
    const size = judge(scope, after);
    if (typeof size === 'string') return refusal('VALUE_TOO_LARGE', `The value of ${path.join('.')} is refused: ${size}`);
    const replaced = name === undefined || isJsonObject(written.value) ? before : written.value;
    const undo = { value: written.value, bytes, isScope: name === undefined || !isJsonObject(written.value) };
    bytes += size - weight(scope, replaced);
    put(written, name, after);
    return () => {
      bytes = undo.bytes;
      put(written, undo.isScope ? undefined : name, undo.isScope ? undo.value : before);
    };
  };

  return {
    get,
    spend: (more) => (work += more) <= limits.advanceWork,
    bytes: () => bytes,
    write(writes) {
      const taken: (() => void)[] = [];
      const refuse = (refusal: Refusal): Refusal => {
        for (const takeBack of taken.reverse()) takeBack();
        return refusal;
      };
      for (const write of writes) {
        const took = take(write);
        if (typeof took !== 'function') return refuse(took);
        taken.push(took);
      }
      if (bytes <= limits.variablesBytes) return undefined;
      return refuse({
        cause: 'VARIABLES_TOO_LARGE',
        message: `All variables together would have more than ${limits.variablesBytes} bytes`,
      });
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

/**
 * Scopes that hold what requests brought: bounded by the limits of requests, one by one, so that what was accepted never
 * fails the execution that it is for (P33). The history's limit bounds them all together.
 */
const ofRequests: ReadonlySet<string> = new Set(['$webhook', '$message', '$messages', '$input']);

const ofMemory: Bounds = { bytes: limits.memoryJsonBytes, keys: limits.keys, depth: limits.depth };

/** The bytes of a value that count for its scope, or why it is refused (P16, VAR-08). */
function judge(scope: string, value: Json | undefined): number | string {
  if (value === undefined) return 0;
  if (scope === '$memory' && typeof value === 'string' && isLonger(value, limits.memoryTextChars)) {
    return `a text in $memory has at most ${limits.memoryTextChars} characters`;
  }
  const isOfRequest = ofRequests.has(scope);
  const size = measure(value, isOfRequest ? limits.request : scope === '$memory' ? ofMemory : undefined);
  return size.kind === 'refused' ? size.reason : isOfRequest ? 0 : size.bytes;
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
