import type { Canvas } from '../contract/canvas.ts';
import type { Problem } from '../contract/problem.ts';
import { readsIn } from '../expressions/compiled-reads.ts';
import { formatPath } from '../variables/path.ts';
import { nearestName } from './nearest-name.ts';
import { listed, placedProblem, shortened } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';
import { aboutVariable } from './text-range.ts';

/** What Hilo fills of the scopes that an author does not write (VAR-04 to VAR-06, EVT-02). */
const fieldsOf: { readonly [scope: string]: readonly string[] | undefined } = {
  $user: ['id', 'names', 'phone', 'phoneNumber', 'locale', 'timeZone'],
  $bot: ['id', 'name', 'channel'],
  $company: ['id', 'name', 'plan', 'kind', 'settings', 'locale', 'timeZone'],
  $message: ['id', 'type', 'text', 'payload', 'mediaUrl', 'filename', 'coordinates', 'contacts'],
};

/** Fields that are read and never filled, each once a node: a typing error, above all where a default hides it. */
export function checkFields(canvas: Canvas, nodes: readonly LoneNode[]): readonly Problem[] {
  return nodes.flatMap(({ id, index, templates }) => {
    const reads = readsIn(templates).flatMap(({ path, at }) => {
      const [scope, field] = path;
      const known = fieldsOf[String(scope)];
      if (known === undefined || typeof field !== 'string' || known.includes(field)) return [];
      return [{ name: formatPath([String(scope), field]), scope: String(scope), field, known, path, at }];
    });
    return [...Map.groupBy(reads, ({ name }) => name).values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const { name, scope, field, known } = first;
      const nearest = nearestName(field, known);
      const remedy = nearest === undefined ? `there are ${listed(known)}` : `did you mean ${scope}.${nearest}?`;
      const places = same.map(({ at }) => ['nodes', index, 'data', ...at]);
      const found = placedProblem('UNKNOWN_VARIABLE_FIELD', places, `${shortened(name, 100)} is never filled; ${remedy}`, id);
      return [{ ...found, ...aboutVariable(canvas, places[0] ?? [], first.path), subject: name }];
    });
  });
}
