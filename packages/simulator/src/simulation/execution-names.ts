import { isJsonObject, type Json } from '@hilo/engine/contract';

/** Names for executions that are the same in every run: `<execution-1>` is the first that was created. */
export interface ExecutionNames {
  /** Gives the execution the next name. */
  add(executionId: string): void;
  /** The ids, oldest first. */
  readonly ids: readonly string[];
  /** A text with names in place of ids. */
  named(text: string): string;
  /** A value with ids in place of names, in every text of it. */
  resolved<Value extends Json>(value: Value): Value;
}

export function createExecutionNames(): ExecutionNames {
  const ids: string[] = [];
  const numbers = new Map<string, number>();
  const withIds = (text: string): string =>
    text.replace(/<execution-(\d{1,9})>/g, (name, digits: string) => ids[Number(digits) - 1] ?? name);

  const resolve = (value: Json): Json => {
    if (typeof value === 'string') return withIds(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!isJsonObject(value)) return value.map(resolve);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };

  return {
    ids,
    add(executionId) {
      ids.push(executionId);
      numbers.set(executionId, ids.length);
    },
    named: (text) => text.replace(/[0-9a-f]{32}/g, (id) => (numbers.has(id) ? `<execution-${numbers.get(id)}>` : id)),
    resolved: <Value extends Json>(value: Value) => resolve(value) as Value,
  };
}
