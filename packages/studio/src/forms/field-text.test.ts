import type { Json } from '@hilo/engine/contract';
import { nodeCatalogue, standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { type CatalogueEntry, isRecord, type JsonSchema, shownText } from '../canvas/canvas-json.ts';
import { fieldText } from './field-text.ts';
import { type Field, fieldsOf, shapeOf } from './shape.ts';

const catalogue: readonly CatalogueEntry[] = nodeCatalogue(standardNodes);

/** Every field that the form of a schema can show, by dotted name; and `field=value` for each value that has a name. */
function shownIn(schema: JsonSchema, root: JsonSchema, at: string, depth: number): readonly string[] {
  if (depth > 9) return [];
  const inside = (inner: JsonSchema): readonly string[] => shownIn(inner, root, at, depth + 1);
  const ofField = ({ name, schema: field }: Field): readonly string[] => {
    if (shapeOf(field, root).kind === 'constant') return [];
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...shownIn(field, root, path, depth + 1)];
  };
  const shape = shapeOf(schema, root);
  switch (shape.kind) {
    case 'object':
      return shape.fields.flatMap(ofField);
    case 'union':
      return shape.options.flatMap(({ tag, schema: option }) => [
        `${at === '' ? '' : `${at}.`}${shape.tag}=${shownText(tag)}`,
        ...fieldsOf(option)
          .filter(({ name }) => name !== shape.tag)
          .flatMap(ofField),
      ]);
    case 'choice':
      return shape.values.map((value: Json) => `${at}=${shownText(value)}`);
    case 'list':
      return inside(shape.item);
    case 'record':
    case 'valueOrExpression':
      return inside(shape.value);
    case 'types':
      return shape.options.flatMap((option) => [`${at}=${shownText(option['type'] ?? '')}`, ...inside(option)]);
    default:
      return [];
  }
}

/** Texts that are missing are written in `packages/nodes/src/field-texts`. */
describe('the texts of fields', () => {
  it.each(catalogue.map((entry) => [entry.type, entry] as const))(
    'of %s: each field and each value has a name in every language',
    (_, entry) => {
      const texts = entry.fields ?? {};
      const names = new Set(shownIn(entry.schema, entry.schema, '', 0));
      const missing = ['en', 'es'].flatMap((language) => {
        const own = Object.fromEntries(
          Object.entries(texts).map(([key, said]) => [key, isRecord(said) ? { en: said[language] ?? '' } : said]),
        );
        return [...names].filter((name) => !fieldText(own, name, 'en')?.label).map((name) => `${language}: ${name}`);
      });
      expect(missing).toEqual([]);
    },
  );

  it('are those of the longest end of a name, in the language of the reader or in English', () => {
    const texts = { name: { en: 'Name', es: 'Nombre' }, 'cart.name': { en: { label: 'Article', help: 'What is bought' } } };
    expect(fieldText(texts, 'order.cart.name', 'es-PE')).toEqual({ label: 'Article', help: 'What is bought' });
    expect(fieldText(texts, 'order.name', 'es-PE')).toEqual({ label: 'Nombre' });
    expect(fieldText(texts, 'order.name', 'de')).toEqual({ label: 'Name' });
    expect(fieldText(texts, 'order', 'en')).toBeUndefined();
    expect(fieldText({}, 'toString', 'en')).toBeUndefined();
  });
});
