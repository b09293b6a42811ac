// The node `for-each`.
import { defineNode, HiloError, isExpression, isJsonObject, type Json, leave, limits, ValueTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { orExpression } from './json-schema.ts';

const Items = ValueTemplate.refine(({ source }) => Array.isArray(source) || isExpression(source), {
  error: 'Give a list, or one {{expression}} that gives one',
})
  .refine(({ source }) => !Array.isArray(source) || source.length <= limits.forEachItems, {
    error: `A loop goes through at most ${limits.forEachItems} items`,
  })
  .meta({
    description: 'The list that the loop goes through: a list, or one {{expression}} that gives one',
    ...orExpression({ type: 'array', maxItems: limits.forEachItems }),
  });

/** The memo of the node between two items. */
type Loop = {
  readonly items: readonly Json[];
  /** The position of the next item. */
  readonly index: number;
  /** `$item` before the loop: that of an outer loop. */
  readonly outer?: Json;
};

/**
 * Leaves by `each` once for every item, with the item in `$item`; the last edge of the body leads back here. Leaves by `done` afterwards,
 * with `$item` as before. The list is that of the first visit: changes by the body are not seen, and a body that leads elsewhere and
 * returns continues with the next item.
 */
export const forEach = defineNode({
  type: 'for-each',
  config: z.strictObject({ items: Items }),
  visual: {
    label: 'For each',
    category: 'logic',
    icon: 'repeat',
    colour: '#7c3aed',
    description: `Goes through a list of at most ${limits.forEachItems} items, one after the other.`,
    summary: ({ items }) => (typeof items === 'string' ? items : JSON.stringify(items ?? [])),
    formHints: { items: 'expression' },
  },
  facts: { limits: `${limits.forEachItems} items` },
  ports: ['each', 'done'],
  boundedPorts: ['each'],
  run({ config, variables, memo }) {
    const { items, index, outer }: Loop = isLoop(memo)
      ? memo
      : { items: readList(config.items(variables)), index: 0, ...wrapOuter(variables.get(['$item'])) };
    const item = items[index];
    if (item === undefined) return leave('done', [{ path: ['$item'], value: outer }], { memo: null });
    const loop: Loop = { items, index: index + 1, ...wrapOuter(outer) };
    return leave('each', [{ path: ['$item'], value: item }], { memo: loop });
  },
  writingFields: [],
  writes: () => ({ each: ['$item'] }),
});

const wrapOuter = (outer: Json | undefined): Pick<Loop, 'outer'> => (outer === undefined ? {} : { outer });

/** Only this node writes its memo, so one check of its shape is enough. */
const isLoop = (memo: Json): memo is Loop => isJsonObject(memo) && Array.isArray(memo['items']) && typeof memo['index'] === 'number';

/** @throws {HiloError} `INVALID_REQUEST` for anything but a list, or too long a one */
function readList(value: Json): readonly Json[] {
  const refuse = (reason: string) => new HiloError('INVALID_REQUEST', { reason });
  if (!isList(value)) throw refuse('The items of a loop must be a list');
  if (value.length > limits.forEachItems)
    throw refuse(`The list has ${value.length} items; a loop goes through at most ${limits.forEachItems}`);
  return value;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
