import type { EffectDefinition, Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as effects from './index.ts';

const isEffect = (value: unknown): value is EffectDefinition<string, JsonObject, JsonObject> =>
  typeof value === 'function' && 'samples' in value && 'request' in value;
const value: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 2 }).map((made) => JSON.parse(JSON.stringify(made)) as Json);

const exported: readonly unknown[] = Object.values(effects);
const definitions = exported.filter(isEffect);

/** A request of each kind that samples look into; of other effects none of their samples depends on it. */
const requests: { readonly [type: string]: readonly JsonObject[] } = {
  'model.ask': [{ messages: [{ role: 'system', text: 'Do.\n{"type":"object","properties":{"a":{"enum":["x","y"]}},"required":["a"]}' }] }],
  'database.call': [
    { operation: 'get', where: [{ column: 'id', op: 'eq', value: 7 }] },
    { operation: 'create', values: {} },
    { operation: 'query', readOnly: false },
  ],
  'tags.change': [{ action: 'add', tags: [1] }],
  'group.change': [{ action: 'add', group: 'vip' }],
  'consent.change': [{ marketing: 'granted' }],
};

const kindsOf = ({ result }: Pick<EffectDefinition, 'result'>): readonly Json[] => {
  const { oneOf, anyOf } = result.toJSONSchema({ unrepresentable: 'any' }) as {
    readonly oneOf?: readonly JsonObject[];
    readonly anyOf?: readonly JsonObject[];
  };
  return (oneOf ?? anyOf ?? []).flatMap(({ properties }) => {
    const { kind } = properties as { readonly kind?: { readonly const?: Json } };
    return kind?.const === undefined ? [] : [kind.const];
  });
};

describe('the samples of an effect', () => {
  it.each(definitions.map((definition) => [definition.type, definition] as const))(
    '%s: are results of it, with one of every kind',
    (type, definition) =>
      fc.assert(
        fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (values) => {
          const samples = (requests[type] ?? [{}]).flatMap((request) =>
            definition.samples(request, { values: [{}, ...values], text: 'why' }),
          );
          for (const sample of samples) expect(definition.result.safeParse(sample).error).toBeUndefined();
          const kinds = new Set(samples.map(({ kind }) => kind));
          expect(kindsOf(definition).filter((kind) => !kinds.has(kind))).toEqual([]);
        }),
        { numRuns: 20 },
      ),
  );
});
