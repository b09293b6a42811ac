// Rules of a segment: their condition is read back as the same rules, is one that the language has, and fits whom its words say.
import { compileCondition, getPath, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWithoutValue, readRules, type Rule, type Rules, subjectsOf, testsFor, writeRules } from './segment-rules.ts';

const subjects = subjectsOf([
  { key: 'city', label: 'City', type: 'text' },
  { key: 'age', type: 'number' },
  { key: 'isMember', type: 'bool' },
  { key: 'renewal', type: 'date' },
  { key: 'tags', type: 'list' },
  { key: 'later', type: 'of a later version' },
]);

const rule: fc.Arbitrary<Rule> = fc.constantFrom(...subjects).chain(({ path, kind }) =>
  fc.record({
    path: fc.constant(path),
    test: fc.constantFrom(...testsFor(kind)),
    value:
      kind === 'number'
        ? fc.integer().map(String)
        : kind === 'bool'
          ? fc.constantFrom('true', 'false')
          : kind === 'half'
            ? fc.constantFrom('0', '1')
            : kind === 'instant'
              ? fc.integer({ min: 0, max: 9_999 }).map(String)
              : fc
                  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a && b', ' || ', '" in user.groups', '\\"', ')'))
                  .filter((text) => text.trim() !== ''),
  }),
);
const shown = (one: Rule): Rule => (isWithoutValue(one.test) ? { ...one, value: '' } : one);

it('are read back as they were written, whatever their values hold', () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 5 }), fc.constantFrom('all', 'any'), (rules, join) => {
      const given: Rules = { join: rules.length === 1 ? 'all' : join, rules: rules.map(shown) };
      expect(readRules(writeRules(given, subjects) ?? '', subjects)).toEqual(given);
    }),
  );
});

it.each([
  'user.fields.city == "Lima" && (user.consent == "granted" || has(user.names))',
  'user.fields.city=="Lima"',
  "user.fields.city == 'Lima'",
  'user.fields.none == "x"',
  'user.fields.city == "Lima" && user.names == "x" || has(user.names)',
  '',
  'true',
])('are not found in %j, which stays as it is', (condition) => {
  expect(readRules(condition, subjects)).toBeUndefined();
});

it.each(['', ' ', 'ten', '1e3', '--1'])('are not finished with %j for a number', (value) => {
  expect(writeRules({ join: 'all', rules: [{ path: 'user.fields.age', test: 'is', value }] }, subjects)).toBeUndefined();
});

const ana: JsonObject = {
  names: 'Ana',
  phone: '51999000112',
  locale: 'es-PE',
  consent: 'granted',
  groups: ['vip'],
  lastInboundAt: '2031-03-01T00:00:00Z',
  firstSeenAt: '2030-01-01T00:00:00Z',
  fields: { city: 'Lima', age: 40, isMember: true, renewal: '2031-05-01', tags: ['new'] },
};
const fits = (one: Rule): boolean => {
  const condition = (writeRules({ join: 'all', rules: [one] }, subjects) ?? '').replaceAll('user.', '$user.').replaceAll('now()', '$now');
  return compileCondition(
    condition,
    () => 'any',
  )({ nowMs: Date.parse('2031-03-03T00:00:00Z'), get: (path) => getPath({ $user: ana }, path) });
};
it.each<[Rule['path'], Rule['test'], string, boolean]>([
  ['user.groups', 'has', 'vip', true],
  ['user.groups', 'hasNot', 'vip', false],
  ['user.groups', 'hasNot', 'new', true],
  ['user.consent', 'isNot', 'revoked', true],
  ['user.lastInboundAt', 'within', '7', true],
  ['user.lastInboundAt', 'within', '1', false],
  ['user.lastInboundAt', 'notWithin', '1', true],
  ['user.lastOutboundAt', 'notWithin', '1', true], // never: not within a day
  ['user.lastOutboundAt', 'within', '1', false],
  ['user.locale', 'startsWith', 'es', true],
  ['user.locale', 'startsNotWith', 'en', true],
  ['user.timeZone', 'is', 'America/Lima', false],
  ['user.timeZone', 'isNot', 'America/Lima', true],
  ['user.timeZone', 'unknown', '', true],
  ['user.fields.city', 'is', 'Lima', true],
  ['user.fields.city', 'contains', 'im', true],
  ['user.fields.age', 'atLeast', '40', true],
  ['user.fields.age', 'atMost', '39', false],
  ['user.fields.isMember', 'is', 'false', false],
  ['user.fields.renewal', 'before', '2031-05-02', true],
  ['user.fields.renewal', 'after', '2031-05-01', false],
  ['user.fields.tags', 'has', 'new', true],
  ['int(user.phone) % 2', 'is', '0', true],
  ['int(user.phone) % 2', 'is', '1', false],
])('of %s, %s %j, fit %j', (path, test, value, expected) => {
  expect(fits({ path, test, value })).toBe(expected);
});
