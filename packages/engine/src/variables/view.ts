import { freeze, produce } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { measure } from './measure.ts';
import { getPath, type Path, setPath } from './path.ts';

/** Why writes were refused: the cause an author sees in `$error`. */
export interface Refusal {
  readonly cause: 'VALUE_TOO_LARGE' | 'VARIABLES_TOO_LARGE' | 'INVALID_PATH';
  readonly message: string;
}

/** The variables of one advance: what was committed, with the writes collected so far read through it. */
export interface VariableView extends Variables {
  /** Takes all of these writes, or none of them. */
  write(writes: readonly Write[]): Refusal | undefined;
  /** The bytes of all variables, this advance's writes counted. */
  bytes(): number;
  /** The variables after the advance: every write applied through Immer at once, the result frozen. */
  commit(): JsonObject;
}

/** Scopes whose entries are bounded by the body that brought them, not by the limit of one value. */
const bodySized: ReadonlySet<string> = new Set(['$webhook', '$message', '$messages', '$input']);

/**
 * Opens the variables of an execution for one advance.
 *
 * @param committed - frozen, scopes as keys: `{ $context: { … } }`
 * @param committedBytes - what {@link VariableView.bytes} said after the previous advance
 */
export function openVariables(committed: JsonObject, committedBytes: number): VariableView {
  /** The variables written so far, each once: the scope, and the name inside it. */
  const touched = new Map<string, Path>();
  let scopes: JsonObject = committed;
  let bytes = committedBytes;

  return {
    get: (path) => getPath(scopes, path),
    bytes: () => bytes,
    write(writes) {
      let next = scopes;
      let nextBytes = bytes;
      for (const { path, value } of writes) {
        const [scope = '', key] = path;
        const changed = withWrite(next, path, value);
        if (changed === undefined)
          return { cause: 'INVALID_PATH', message: `A write to ${path.join('.')} was refused: it is no position of this list` };
        const size = sizeAt(changed, scope, key, bodySized.has(String(scope)) ? limits.variablesBytes : limits.valueBytes);
        if (typeof size === 'string') return { cause: 'VALUE_TOO_LARGE', message: `The value of ${path.join('.')} is refused: ${size}` };
        const before = sizeAt(next, scope, key, limits.variablesBytes);
        nextBytes += size - (typeof before === 'number' ? before : 0);
        next = changed;
      }
      if (nextBytes > limits.variablesBytes) {
        return { cause: 'VARIABLES_TOO_LARGE', message: `All variables together would have more than ${limits.variablesBytes} bytes` };
      }
      scopes = next;
      bytes = nextBytes;
      for (const { path } of writes) touched.set(`${path[0]}.${path[1] ?? ''}`, path.slice(0, 2));
      return undefined;
    },
    commit: () =>
      touched.size === 0
        ? committed
        : produce(committed, (draft) => {
            for (const path of touched.values())
              if (path.length === 1 || !touched.has(`${path[0]}.`)) setPath(draft, path, getPath(scopes, path));
          }),
  };
}

/** A copy of the scopes with one write in it, sharing all that did not change; `undefined` for an impossible place. */
function withWrite(scopes: JsonObject, path: Write['path'], value: Write['value']): JsonObject | undefined {
  if (value !== undefined) freeze(value, true);
  const [scope = '', key] = path;
  const [scopeKey, nameKey] = [String(scope), String(key)];
  if (path.length === 1) return replaced(scopes, scopeKey, value);
  const inner = Object.hasOwn(scopes, scopeKey) ? scopes[scopeKey] : undefined;
  const entries = isJsonObject(inner) ? inner : {};
  if (path.length === 2) return replaced(scopes, scopeKey, replaced(entries, nameKey, value));
  try {
    return produce(scopes, (draft) => setPath(draft as Parameters<typeof setPath>[0], path, value));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function replaced(entries: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...entries, [key]: value };
  const { [key]: _removed, ...rest } = entries;
  return rest;
}

/** The bytes of the variable a write belongs to, or why it is refused. */
function sizeAt(scopes: JsonObject, scope: string | number, key: string | number | undefined, maxBytes: number): number | string {
  const whole = getPath(scopes, [scope]);
  const value = key === undefined || !isJsonObject(whole) ? whole : getPath(whole, [key]);
  if (value === undefined) return 0;
  const size = measure(value, maxBytes);
  return size.kind === 'fits' ? size.bytes : size.reason;
}
