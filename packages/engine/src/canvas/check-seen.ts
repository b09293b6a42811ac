// Names and remarks of a canvas that hold what nobody sees: such a name looks like another one, and a mark of direction shows its letters
// in another order. Checked before publication alone, so that what is published runs on.
import type { Canvas } from '../contract/canvas.ts';
import { isJsonObject, type Json } from '../contract/json.ts';
import { type Fix, type PatchOperation, pointer, type Problem } from '../contract/problem.ts';
import { dropUnseenInName, dropUnseenInText, unseenInName, unseenInText } from '../contract/shown-text.ts';
import { mapAround, type ValuePath } from '../expressions/template.ts';
import { problem, type ProblemCode } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';

/** What one kind of text may hold. */
interface Rule {
  find(text: string): string | undefined;
  drop(text: string): string;
}
const aName: Rule = { find: unseenInName, drop: dropUnseenInName };
const aText: Rule = { find: unseenInText, drop: dropUnseenInText };

/** The names and descriptions of the canvas itself, of its variables, and of its edges. */
export function checkSeen({ name, description, variables, settings, edges }: Canvas): readonly Problem[] {
  const declared = [
    { at: ['variables'], of: variables },
    { at: ['settings', 'inputs'], of: settings.inputs ?? {} },
    { at: ['settings', 'outputs'], of: settings.outputs ?? {} },
  ];
  return [
    ...judge('INVALID_CANVAS', name, ['name'], aName),
    ...judge('INVALID_CANVAS', description, ['description'], aText),
    ...declared.flatMap(({ at, of }) =>
      Object.entries(of).flatMap(([key, one]) => judge('INVALID_CANVAS', one.description, [...at, key, 'description'], aText)),
    ),
    ...edges.flatMap(({ label }, index) => judge('INVALID_CANVAS', label, ['edges', index, 'label'], aName)),
  ];
}

/** The labels and notes of nodes, and what their definitions call names. A port that is called like one of them keeps its edge by the fix. */
export function checkSeenInNodes({ nodes, edges }: Canvas, parsedNodes: readonly ParsedNode[]): readonly Problem[] {
  let left: ReadonlyMap<string, readonly Leaving[]> | undefined; // by node: thousands of names may be wrong
  const listEdges = (id: string): readonly Leaving[] => {
    left ??= Map.groupBy(
      edges.map(({ source, sourceHandle }, index) => ({ source, sourceHandle, index })),
      ({ source }) => source,
    );
    return left.get(id) ?? [];
  };
  return parsedNodes.flatMap(({ id, index, definition }) => {
    const data = nodes[index]?.data ?? {};
    const judgeAt = (value: Json | undefined, at: ValuePath, rule: Rule): readonly Problem[] =>
      judge('INVALID_CONFIG', value, ['nodes', index, 'data', ...at], rule, { id, listEdges });
    const ofNode = [...judgeAt(data['label'], ['label'], aName), ...judgeAt(data['notes'], ['notes'], aText)];
    const rule = definition.isRemark ? aText : aName;
    return [
      ...ofNode,
      ...definition.names.flatMap((path) => findAll(data, path.split('.')).flatMap(({ value, at }) => judgeAt(value, at, rule))),
    ];
  });
}

/** An edge by its place, and the port that it leaves by. */
type Leaving = Pick<Canvas['edges'][number], 'sourceHandle'> & { readonly index: number };

function judge(
  code: ProblemCode,
  value: Json | undefined,
  place: ValuePath,
  { find, drop }: Rule,
  node?: { readonly id: string; listEdges(id: string): readonly Leaving[] },
): readonly Problem[] {
  if (typeof value !== 'string') return [];
  let found: string | undefined;
  const tidy = mapAround(value, (text) => {
    found ??= find(text);
    return drop(text);
  });
  if (found === undefined) return [];
  const path = pointer(place);
  const ports = (node?.listEdges(node.id) ?? [])
    .filter(({ sourceHandle }) => sourceHandle === value)
    .map(({ index }): PatchOperation => ({ op: 'replace', path: pointer(['edges', index, 'sourceHandle']), value: tidy }));
  const fixes: readonly Fix[] =
    tidy.trim() === '' ? [] : [{ label: 'Leave out what nobody sees', patch: [{ op: 'replace', path, value: tidy }, ...ports] }];
  return [{ ...problem(code, place, `"${String(place.at(-1))}" ${found}`, node?.id), ...(fixes.length > 0 && { fixes }) }];
}

/** The values at a path: each item of a list, and behind `*` each value of an object. */
function findAll(value: Json, steps: readonly string[], at: ValuePath = []): readonly { readonly value: Json; readonly at: ValuePath }[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => findAll(item, steps, [...at, index]));
  const [step, ...rest] = steps;
  if (step === undefined) return [{ value, at }];
  if (!isJsonObject(value)) return [];
  const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  return keys.flatMap((key) => findAll(value[key] ?? null, rest, [...at, key]));
}
