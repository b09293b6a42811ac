// What the agents of a canvas withhold from their models, hidden from others that read its executions, such as a coding agent.
import { getPath, isJsonObject, type Json, type JsonObject, type Path } from '@hilo/engine/contract';
import { z } from 'zod';
import { ReadPath } from '../read-path.ts';
import { maskOf } from './mask.ts';

const List = z.array(z.unknown());

const readPath = (written: unknown): readonly Path[] => {
  const { data } = ReadPath.safeParse(written);
  return data === undefined ? [] : [data];
};

/**
 * Puts marks in place of the values that an execution has at the paths which an agent of its canvas withholds.
 *
 * @param variables - those of the execution
 */
export function hideWithheld(
  { nodes }: { readonly nodes: readonly { readonly type: string; readonly data?: Json }[] },
  variables: JsonObject,
  value: Json,
): Json {
  const withhold = nodes.flatMap(({ type, data = null }) =>
    type === 'agent' && isJsonObject(data) ? (List.safeParse(data['withhold']).data ?? []).flatMap(readPath) : [],
  );
  if (withhold.length === 0) return value;
  return maskOf([], { withhold, redact: [] }, { get: (path) => getPath(variables, path) }).hide(value);
}
