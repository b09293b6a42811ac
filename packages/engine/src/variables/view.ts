import { produce } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { type Bounds, measure, unbounded } from './measure.ts';
import { getPath, type Path, setPath } from './path.ts';

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
  /** The variables after the advance: all that was written, applied through Immer at once; frozen. */
  commit(): JsonObject;
}

/** A scope that was written to: what stands under it, and the names written over that. */
interface Written {
  under: Json | undefined;
  readonly names: Map<string, Json | undefined>;
}

/**
 * Opens the variables of an execution for one advance.
 *
 * @param committed - frozen, scopes as keys: `{ $context: { … } }`
 * @param committedBytes - what {@link VariableView.bytes} said after the previous advance
 */
export function openVariables(committed: JsonObject, committedBytes: number): VariableView {
  const scopes = new Map<string, Written>();
  let bytes = committedBytes;
  let work = 0;

  const get = (path: Path): Json | undefined => {
    const written = scopes.get(String(path[0]));
    if (written === undefined) return getPath(committed, path);
    if (path.length === 1) return merged(written);
    const name = String(path[1]);
    return written.names.has(name) ? getPath(written.names.get(name), path, 2) : getPath(written.under, path, 1);
  };

  /** Puts a value at a scope or at a name of one, and counts its bytes. */
  const put = (scope: string, name: string | undefined, before: Json | undefined, value: Json | undefined, grownBytes: number): void => {
    const written = scopes.get(scope) ?? { under: getPath(committed, [scope]), names: new Map<string, Json | undefined>() };
    scopes.set(scope, written);
    if (name === undefined) {
      written.names.clear();
      written.under = value;
    } else {
      // A name inside a text or a list: the scope becomes an object, and what it was is gone.
      if (!isJsonObject(written.under)) {
        bytes -= before === undefined ? weight(scope, written.under) : 0;
        written.under = {};
      }
      written.names.set(name, value);
    }
    bytes += grownBytes;
  };

  /** Takes one write. @returns how to take it back, or why it is refused */
  const take = ({ path, value }: Write): (() => void) | Refusal => {
    const scope = String(path[0]);
    const name = path.length === 1 ? undefined : String(path[1]);
    const before = get(path.length <= 2 ? path : path.slice(0, 2));
    const after = path.length <= 2 ? value : within(before, path.slice(2), value);
    if (after === impossible)
      return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: it is no position of this list` };
    const size = judge(scope, after);
    if (typeof size === 'string') return { cause: 'VALUE_TOO_LARGE', message: `The value of ${path.join('.')} is refused: ${size}` };
    const bytesBefore = bytes;
    put(scope, name, before, after, size - weight(scope, before));
    return () => {
      put(scope, name, after, before, 0);
      bytes = bytesBefore;
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
    commit: () =>
      scopes.size === 0
        ? committed
        : produce(committed, (draft) => {
            for (const [scope, written] of scopes) setPath(draft, [scope], merged(written));
          }),
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
function weight(scope: string, value: Json | undefined): number {
  const size = value === undefined || ofRequests.has(scope) ? undefined : measure(value, unbounded);
  return size?.kind === 'fits' ? size.bytes : 0;
}

/** The bytes of variables that count for their limit: of all but what requests brought. */
export const countedBytes = (variables: JsonObject): number =>
  Object.entries(variables).reduce((bytes, [scope, value]) => bytes + weight(scope, value), 0);

/** A scope as it is read: the names written over what stood there. */
function merged({ under, names }: Written): Json | undefined {
  if (names.size === 0) return under;
  const entries: Record<string, Json> = isJsonObject(under) ? { ...under } : {};
  for (const [name, entry] of names) {
    if (entry === undefined) delete entries[name];
    else entries[name] = entry;
  }
  return entries;
}

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
