import { produce } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { measure } from './measure.ts';
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
  /** The bytes of all variables, this advance's writes counted. */
  bytes(): number;
  /** The variables after the advance: all that was written, applied through Immer at once; frozen. */
  commit(): JsonObject;
}

/** A scope as the advance has made it: whole, or single names over what was committed. */
interface Written {
  readonly whole: boolean;
  readonly value: Json | undefined;
  readonly names: ReadonlyMap<string, Json | undefined>;
}

/**
 * Opens the variables of an execution for one advance.
 *
 * @param committed - frozen, scopes as keys: `{ $context: { … } }`
 * @param committedBytes - what {@link VariableView.bytes} said after the previous advance
 */
export function openVariables(committed: JsonObject, committedBytes: number): VariableView {
  let scopes: ReadonlyMap<string, Written> = new Map();
  let bytes = committedBytes;

  const read = (from: ReadonlyMap<string, Written>, path: Path): Json | undefined => {
    const scope = String(path[0]);
    const written = from.get(scope);
    if (written === undefined) return getPath(committed, path);
    if (path.length === 1) return merged(written);
    const name = String(path[1]);
    return written.names.has(name) ? getPath(written.names.get(name), path, 2) : getPath(written.value, path, 1);
  };

  return {
    get: (path) => read(scopes, path),
    bytes: () => bytes,
    write(writes) {
      if (writes.length === 0) return undefined;
      const next = new Map(scopes);
      let nextBytes = bytes;
      for (const { path, value } of writes) {
        const place = path.slice(0, 2);
        const before = read(next, place);
        const after = path.length <= 2 ? value : within(before, path.slice(2), value);
        if (after === impossible) return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: it is no position of this list` };
        const size = weigh(String(path[0]), after);
        if (typeof size === 'string') return { cause: 'VALUE_TOO_LARGE', message: `The value of ${path.join('.')} is refused: ${size}` };
        nextBytes += size - weightBefore(read(next, [place[0] ?? '']), before);
        put(next, committed, place, after);
      }
      if (nextBytes > limits.variablesBytes) {
        return { cause: 'VARIABLES_TOO_LARGE', message: `All variables together would have more than ${limits.variablesBytes} bytes` };
      }
      scopes = next;
      bytes = nextBytes;
      return undefined;
    },
    commit: () =>
      scopes.size === 0
        ? committed
        : produce(committed, (draft) => {
            for (const [scope, { whole, value, names }] of scopes) {
              if (whole) setPath(draft, [scope], merged({ whole, value, names }));
              else for (const [name, entry] of names) setPath(draft, [scope, name], entry);
            }
          }),
  };
}

/** Scopes whose entries are bounded by the body that brought them, not by the limit of one value. */
const bodySized: ReadonlySet<string> = new Set(['$webhook', '$message', '$messages', '$input']);

/** The bytes of a value for its scope, or why it is refused (P16, VAR-08). */
function weigh(scope: string, value: Json | undefined): number | string {
  if (value === undefined) return 0;
  if (scope === '$memory' && typeof value === 'string' && value.length > limits.memoryTextChars) return `a text in $memory has at most ${limits.memoryTextChars} characters`;
  const size = measure(value, scope === '$memory' ? limits.memoryJsonBytes : bodySized.has(scope) ? limits.variablesBytes : limits.valueBytes);
  return size.kind === 'fits' ? size.bytes : size.reason;
}

/** What a write takes away: the value that stood there, or a whole scope that was no object. */
function weightBefore(scope: Json | undefined, before: Json | undefined): number {
  const gone = isJsonObject(scope) || scope === undefined ? before : scope;
  const size = gone === undefined ? undefined : measure(gone, Number.POSITIVE_INFINITY);
  return size?.kind === 'fits' ? size.bytes : 0;
}

function put(scopes: Map<string, Written>, committed: JsonObject, [scope = '', name]: Path, value: Json | undefined): void {
  const key = String(scope);
  if (name === undefined) {
    scopes.set(key, { whole: true, value, names: new Map() });
    return;
  }
  const { whole, value: under, names } = scopes.get(key) ?? { whole: false, value: getPath(committed, [key]), names: new Map<string, Json | undefined>() };
  const isObject = isJsonObject(under);
  scopes.set(key, { whole: whole || !isObject, value: isObject ? under : {}, names: new Map(names).set(String(name), value) });
}

function merged({ value, names }: Written): Json | undefined {
  if (names.size === 0) return value;
  const entries: Record<string, Json> = isJsonObject(value) ? { ...value } : {};
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
