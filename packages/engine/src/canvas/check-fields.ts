import type { Canvas } from '../contract/canvas.ts';
import type { Problem } from '../contract/problem.ts';
import { patternsIn, readsIn } from '../expressions/template.ts';
import { compilePattern } from '../expressions/like.ts';
import { formatPath } from '../variables/path.ts';
import { nearestName } from '../expressions/nearest-name.ts';
import { aboutVariable } from './text-range.ts';
import { joinNames, placedProblem, problem, shorten } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';

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
      const remedy = nearest === undefined ? `there are ${joinNames(known)}` : `did you mean ${scope}.${nearest}?`;
      const places = same.map(({ at }) => ['nodes', index, 'data', ...at]);
      const found = placedProblem('UNKNOWN_VARIABLE_FIELD', places, `${shorten(name, 100)} is never filled; ${remedy}`, id);
      return [{ ...found, ...aboutVariable(canvas, places[0] ?? [], first.path), subject: name }];
    });
  });
}

/** What all patterns of a canvas may take to be compiled, in instructions and their like: some 0.1 s. */
const mostWork = 100_000;
/** Matches one character of a pattern. */
const characterWork = 20;

/**
 * Literal patterns of `like` that cannot be compiled. Each is compiled once, within a time budget: a canvas may have thousands that take
 * 20 ms each, and the rest is checked at first use (P20).
 */
export function checkPatterns(nodes: readonly LoneNode[]): readonly Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, string | undefined>();
  let work = 0;
  for (const { id, index, templates } of nodes) {
    for (const { pattern, at } of patternsIn(templates)) {
      if (!known.has(pattern)) {
        if (work > mostWork) continue;
        const compiled = compilePattern(pattern);
        work += pattern.length * characterWork + (typeof compiled === 'string' ? 0 : compiled.programSize());
        known.set(pattern, typeof compiled === 'string' ? compiled : undefined);
      }
      const reason = known.get(pattern);
      if (reason === undefined) continue;
      const message = `The pattern ${shorten(JSON.stringify(pattern), 100)} of like() cannot be used: ${reason}`;
      problems.push(problem('INVALID_EXPRESSION', ['nodes', index, 'data', ...at], message, id));
    }
  }
  return problems;
}
