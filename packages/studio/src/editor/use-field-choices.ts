// What the fields of a node can name: variables, and the company's workflows, functions, templates and people.
import type { DescribedNode } from '@hilo/engine/authoring';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { useMemo } from 'react';
import { type CanvasJson, isRecord } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';

interface ChoicesOf {
  readonly canvas: CanvasJson;
  readonly described: DescribedNode | undefined;
  /** How the fields of the node are edited. */
  readonly hints: { readonly [field: string]: string };
  /** What its expressions were worth in the last test. */
  readonly variables: JsonObject;
}

/** @returns the choices, and what the company has, once it is loaded */
export function useFieldChoices({ canvas, described, hints, variables }: ChoicesOf) {
  const { can, client, companyId } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const asksPeople = Object.values(hints).some((hint) => hint === 'operator' || hint === 'team') && can('answer');
  const { value: people } = useLoaded(asksPeople ? `people/${companyId}` : 'no people', async () =>
    asksPeople ? client.inboxPeople(companyId) : undefined,
  );
  const choices: FieldChoices = useMemo(
    () => ({
      variables: variablesFor(canvas, described),
      workflows: references?.workflows ?? [],
      functions: references?.functions ?? [],
      credentials: references?.credentials ?? [],
      templates: references?.templates ?? [],
      operators: people?.operators.map((one) => ({ id: one.id, name: one.names })) ?? [],
      teams: people?.teams ?? [],
      channels: [...new Set(references?.bots.map(({ channel }) => channel))],
      valueOf: (path) => valueAt(variables, path),
      fieldsOf: (path) => (isAnswer(canvas, path) ? answerFields : []),
    }),
    [canvas, described, references, people, variables],
  );
  return { choices, references };
}

/** What stands at a path such as `$context.order.id`. */
function valueAt(variables: JsonObject, path: string): Json | undefined {
  const [scope = '', ...steps] = path.slice(1).split('.');
  let value: Json | undefined = scope === 'context' ? variables : undefined;
  for (const step of steps) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

/** What the answer of a call holds, always. */
const answerFields = ['body', 'status', 'headers'];

const isAnswer = ({ nodes }: CanvasJson, path: string): boolean =>
  nodes.some(({ type, data }) => type === 'api' && data?.['saveAs'] === path);

/** What can be read at a node: by the engine's account of the ways to it, or else all that the canvas writes anywhere. */
function variablesFor(canvas: CanvasJson, described: DescribedNode | undefined): FieldChoices['variables'] {
  const { always = [], sometimes = [] } = described ?? {};
  if (always.length + sometimes.length > 0)
    return [
      ...always.map((path) => ({ path, where: 'always' as const })),
      ...sometimes.map((path) => ({ path, where: 'sometimes' as const })),
    ];
  const written = new Set<string>(Object.keys(canvas.variables ?? {}).map((name) => `$context.${name}`));
  const look = (value: unknown, field: string): void => {
    if (typeof value === 'string' && writingFields.has(field) && /^\$(?:context|memory)\.[\w.]+$/.test(value)) written.add(value);
    else if (Array.isArray(value)) for (const item of value) look(item, field);
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) look(item, name);
  };
  for (const { data, type } of canvas.nodes) {
    look(data, '');
    if (type === 'webhook' && typeof data?.['variableName'] === 'string') written.add(`$webhook.${data['variableName']}.body`);
  }
  return [...written].map((path) => ({ path, where: 'canvas' as const }));
}
const writingFields: ReadonlySet<string> = new Set(['saveAs', 'path']);
