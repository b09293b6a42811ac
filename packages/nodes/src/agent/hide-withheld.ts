// What the agents of a canvas withhold from their models, hidden from others that read its executions, such as a coding agent.
import { getPath, isJsonObject, type Json, type JsonObject, parsePath, type Path, type Variables } from '@hilo/engine/contract';
import { z } from 'zod';
import { ReadPath } from '../read-path.ts';
import { maskOf } from './mask.ts';

const List = z.array(z.unknown());

const readPath = (written: unknown): readonly Path[] => {
  const { data } = ReadPath.safeParse(written);
  return data === undefined ? [] : [data];
};

/** What is read of an execution: its variables as they are, and what its history wrote and heard. */
export interface WithheldOf {
  readonly variables: JsonObject;
  readonly entries: readonly Json[];
}

const Entry = z
  .object({
    heard: z.record(z.string(), z.json()).optional(),
    writes: z.array(z.object({ path: z.string(), value: z.json().optional() })).optional(),
  })
  .catch({});

/**
 * Puts marks in place of the values that executions have, or had at any time, at the paths which an agent of a canvas withholds.
 *
 * @param canvases - those of the executions: of one, and of those that called it
 */
export function hideWithheld(
  canvases: readonly { readonly nodes: readonly { readonly type: string; readonly data?: Json }[] }[],
  executions: readonly WithheldOf[],
  value: Json,
): Json {
  const withhold = canvases
    .flatMap(({ nodes }) => nodes)
    .flatMap(({ type, data = null }) =>
      type === 'agent' && isJsonObject(data) ? (List.safeParse(data['withhold']).data ?? []).flatMap(readPath) : [],
    );
  if (withhold.length === 0) return value;
  return maskOf([], { withhold, redact: [] }, ...executions.flatMap(timesOf)).hide(value);
}

/** Variables as they are, and as each step of a history wrote and heard them. */
const timesOf = ({ variables, entries }: WithheldOf): readonly Pick<Variables, 'get'>[] => [
  { get: (path) => getPath(variables, path) },
  ...entries.flatMap((entry) => {
    const { heard, writes = [] } = Entry.parse(entry);
    return [
      ...(heard === undefined ? [] : [{ get: (path: Path) => (path[0] === '$message' ? getPath(heard, path, 1) : undefined) }]),
      ...writes.map(({ path, value }) => writtenAt(parsePath(path) ?? [], value)),
    ];
  }),
];

/** What is at a path after a write: a part of what was written, or the whole where it was written inside of the path. */
const writtenAt = (written: Path, value: Json | undefined): Pick<Variables, 'get'> => ({
  get: (path) => {
    const shared = Math.min(path.length, written.length);
    if (shared === 0 || value === undefined || path.slice(0, shared).some((step, index) => String(step) !== String(written[index])))
      return undefined;
    return path.length > shared ? getPath(value, path, shared) : value;
  },
});
