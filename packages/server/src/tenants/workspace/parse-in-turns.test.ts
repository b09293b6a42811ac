/** A workspace that is read in turns is read as it is at once, however long its lists are. */
import { channelAdapters } from '@hilo/channels';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fewRuns } from '../../../../../scripts/vitest/part-of.ts';
import { parseWorkspaceShape } from './parse-in-turns.ts';
import { parseShape } from './problems.ts';
import { workspaceSchema } from './schema.ts';

const schema = workspaceSchema(channelAdapters);
const team = fc.oneof(
  { weight: 500, arbitrary: fc.record({ id: fc.integer({ min: 1, max: 99_999 }), name: fc.constantFrom('Support', 'Sales') }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 7, {}, { id: 'x', name: 'Support' }, { id: 1, name: 'Support', colour: 'red' }) },
);
const workflow = fc.oneof(
  { weight: 500, arbitrary: fc.record({ canvas: fc.constant({ id: 'w' }), publish: fc.boolean() }, { requiredKeys: ['canvas'] }) },
  { weight: 1, arbitrary: fc.constantFrom({}, { file: 'a', canvas: {} }, { canvas: {}, publish: 'yes' }, { canvas: {}, odd: 1 }) },
);
const longOrShort = <Item>(item: fc.Arbitrary<Item>) =>
  fc.oneof(...[0, 3, 99, 100, 101, 230].map((length) => fc.array(item, { minLength: length, maxLength: length })));
const company = fc.record(
  {
    id: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 9 }) }, { weight: 1, arbitrary: fc.constant('x') }),
    name: fc.constant('Acme'),
    plan: fc.constant('free'),
    teams: longOrShort(team),
    workflows: longOrShort(workflow),
    odd: fc.constant(1),
  },
  { requiredKeys: ['id', 'name', 'plan', 'workflows'] },
);

it('has the same value and the same problems', () =>
  fc.assert(
    fc.asyncProperty(fc.array(company, { maxLength: 3 }), async (companies) => {
      const once = parseShape(schema, { companies });
      const inTurns = await parseWorkspaceShape(schema, { companies });
      const named = ({ problems }: Pick<typeof once, 'problems'>) =>
        problems.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`).toSorted();
      expect(named(inTurns)).toEqual(named(once));
      expect(inTurns.value).toEqual(once.value);
    }),
    fewRuns(30),
  ));

const small = fc.oneof(
  {
    weight: 300,
    arbitrary: fc.record({
      id: fc.integer({ min: 1 }),
      name: fc.constant('Acme'),
      plan: fc.constant('free'),
      teams: fc.array(team, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom(null, 7, {}, { id: 1, name: 'Acme', plan: 'free', odd: 1 }), company) },
);

it('has them of many companies as well', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(99, 100, 101, 200, 201), fc.boolean(), fc.infiniteStream(small), async (count, isOdd, drawn) => {
      const input = { companies: [...drawn.take(count)], ...(isOdd && { odd: 1 }) };
      const once = parseShape(schema, input);
      const inTurns = await parseWorkspaceShape(schema, input);
      const named = ({ problems }: Pick<typeof once, 'problems'>) =>
        problems.map((one) => `${one.code} ${one.pointer} ${one.message}`).toSorted();
      expect(named(inTurns)).toEqual(named(once));
      expect(inTurns.value).toEqual(once.value);
    }),
    fewRuns(20),
  ));

it.each([{}, { companies: 'none' }, { companies: [null, 1, []] }, { companies: [], odd: 1 }])('refuses %j as before', async (input) => {
  expect(await parseWorkspaceShape(schema, input)).toEqual(parseShape(schema, input));
});

it('tells so many problems of a list, and no more', async () => {
  const workflows = Array.from({ length: 10_000 }, () => ({}));
  const { value, problems } = await parseWorkspaceShape(schema, { companies: [{ id: 1, name: 'Acme', plan: 'free', workflows }] });
  expect([value, problems.length]).toEqual([undefined, 250]);
});
