import { produce } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { getPath, setPath } from './path.ts';

/**
 * The variables after some writes to names of scopes: the view of a node that has written already. A write that will be refused changes
 * nothing.
 */
export function withWrites(variables: Variables, writes: readonly Write[]): Variables {
  if (writes.length === 0) return variables;
  const names = new Map<string, { readonly scope: string; readonly name: string; readonly value: Json | undefined }>();
  for (const { path, value: given } of writes) {
    const [scope, name] = [String(path[0]), String(path[1])];
    const key = JSON.stringify([scope, name]);
    const before = names.has(key) ? names.get(key)?.value : variables.get([scope, name]);
    names.set(key, { scope, name, value: path.length === 2 ? given : withInner(before, path.slice(2), given) });
  }
  return {
    ...variables,
    get(path) {
      const [scope, name] = path;
      if (path.length > 1) {
        const written = names.get(JSON.stringify([String(scope), String(name)]));
        return written === undefined ? variables.get(path) : getPath(written.value, path.slice(2));
      }
      const base = variables.get(path);
      const entries: { [name: string]: Json } = isJsonObject(base) ? { ...base } : {};
      const own = [...names.values()].filter((written) => written.scope === scope);
      for (const { name: key, value } of own) {
        if (value === undefined) delete entries[key];
        else entries[key] = value;
      }
      return own.length === 0 ? base : entries;
    },
  };
}

function withInner(value: Json | undefined, path: readonly (string | number)[], inner: Json | undefined): Json | undefined {
  const root: JsonObject = { value: typeof value === 'object' && value !== null ? value : {} };
  try {
    return produce(root, (draft) => setPath(draft, ['value', ...path], inner))['value'];
  } catch (error) {
    if (error instanceof RangeError) return value;
    throw error;
  }
}
