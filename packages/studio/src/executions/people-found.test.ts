import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idsMeant } from './people-found.ts';

const drawnId: fc.Arbitrary<string> = fc.constantFrom('5215512345678', 'web:a', 'web:b', 'U1', 'U2');
const drawnPeople = fc.array(
  fc.record({
    names: fc.constantFrom('Ana', 'Olga', null, undefined),
    identities: fc.array(
      drawnId.map((value) => ({ value })),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 8 },
);

it('offers each id of whoever was found once, in their order, and never nothing', () => {
  fc.assert(
    fc.property(drawnPeople, fc.oneof(drawnId, fc.constantFrom('an', 'nobody')), (people, text) => {
      const meant = idsMeant(text, people).map(({ userId }) => userId);
      const known = [...new Set(people.flatMap(({ identities }) => identities.map(({ value }) => value)))];
      expect(meant).toEqual(known.includes(text) || known.length === 0 ? [text] : known.slice(0, 12));
    }),
  );
});

it('offers twelve of more', () => {
  const people = Array.from({ length: 20 }, (_, index) => ({ names: 'Ana', identities: [{ value: `id${index}` }] }));
  expect(idsMeant('ana', people)).toHaveLength(12);
  expect(idsMeant('id19', people)).toEqual([{ userId: 'id19', names: 'Ana' }]);
});
