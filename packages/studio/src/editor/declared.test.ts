import { type Json, type JsonObject, VariableName } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areDeclared,
  canBeField,
  type DeclaredType,
  declaredTypes,
  kindOfValue,
  mayBeNamed,
  nameTyped,
  numberIn,
  redeclared,
  typeOf,
  valueAs,
  valueKinds,
} from './declared.ts';

/** What the contract asks: null is a value that is still to come. */
function fits(value: Json | undefined, type: DeclaredType): boolean {
  if (value === undefined || value === null || type === 'any') return true;
  return type === (Array.isArray(value) ? 'array' : typeof value);
}

const drawnDeclaration: fc.Arbitrary<JsonObject> = fc
  .record({ type: fc.constantFrom(...declaredTypes), default: fc.jsonValue(), description: fc.string() }, { requiredKeys: [] })
  .map((one) => one as JsonObject)
  .filter((one) => fits(one['default'], typeOf(one)));

it('a declaration of another type is one that a canvas may have, and says what it is for as before', () => {
  fc.assert(
    fc.property(drawnDeclaration, fc.constantFrom(...declaredTypes), (declaration, type) => {
      const after = redeclared(declaration, type);
      expect(fits(after['default'], type)).toBe(true);
      expect(after['description']).toBe(declaration['description']);
      expect(redeclared(after, type)).toEqual(after);
      expect(areDeclared({ after })).toBe(true);
    }),
  );
});

it.each(['a', 'B_2', '_x', '', '2x', 'x y', 'in', 'for', 'constructor', '__proto__', 'é', 'a'.repeat(64), 'a'.repeat(65)])(
  'a variable may be named %j where the engine takes it',
  (name) => expect(mayBeNamed(name)).toBe(VariableName.safeParse(name).success),
);

it('of what is typed as a name something stays that may be one, or the beginning of one', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => /^(?:[A-Za-z_][A-Za-z0-9_]{0,63})?$/.test(nameTyped(text))));
  expect([nameTyped('Número de intentos'), nameTyped('2nd try'), nameTyped('tries')]).toEqual(['Numero_de_intentos', 'nd_try', 'tries']);
});

it.each<[string, number | undefined]>([
  ['3', 3],
  [' 2,5 ', 2.5],
  ['-1', -1],
  ['', undefined],
  ['3 apples', undefined],
  ['Infinity', undefined],
])('%j is the number %j', (text, number) => expect(numberIn(text)).toBe(number));

it.each<[unknown, boolean]>([
  [undefined, true],
  [{}, true],
  [{ a: { type: 'number', default: 1 }, b: {} }, true],
  [{ a: 1 }, false],
  [{ a: { type: 'other' } }, false],
  [{ a: { more: 1 } }, false],
  [[], false],
])('lines show all of %j: %j', (value, areShown) => expect(areDeclared(value as never)).toBe(areShown));

it('a value of another kind is of that kind, and one of its own kind is the same', () => {
  fc.assert(
    fc.property(fc.option(fc.jsonValue(), { nil: undefined }), fc.constantFrom(...valueKinds), (drawn, kind) => {
      const value = drawn as Json | undefined;
      const after = valueAs(value, kind);
      expect(kindOfValue(after)).toBe(kind);
      expect(valueAs(after, kind)).toBe(after);
      expect(valueAs(value, kindOfValue(value))).toBe(value);
    }),
  );
  expect([valueAs('7', 'number'), valueAs(7, 'text'), valueAs('a', 'list'), valueAs(1, 'choice')]).toEqual([7, '7', ['a'], true]);
});

it.each<[string, boolean]>([
  ['name', true],
  ['first name', true],
  ['', false],
  ['constructor', false],
  ['__proto__', false],
  ['null', false],
])('a field may be called %j: %j', (name, may) => expect(canBeField(name)).toBe(may));
