// Which places of a template a campaign asks for.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parametersOf, usualFor } from './template-parameters.ts';

it('finds each place once, in the order of the text, then of its parts', () => {
  expect(parametersOf({ body: 'Hi {{name}}, {{ code }} and {{name}}' })).toEqual(['name', 'code']);
  expect(parametersOf({ body: '{{1}}', components: [{ type: 'HEADER', text: '{{2}} {{1}}' }] })).toEqual(['1', '2']);
  expect(parametersOf({})).toEqual([]);
  expect(parametersOf({ body: '{{}} {{ }} {{{a}}} {b}' })).toEqual(['a']);
});

it('finds what was written, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_]{1,20}$/), fc.string(), fc.string(), (name, before, after) => {
      expect(parametersOf({ body: `${before} {{${name}}} ${after}` })).toContain(name);
    }),
  );
});

it('fills a name with the name of the person', () => {
  expect(['name', 'nombre', 'user_name', 'Names', '1', 'code', 'filename'].map(usualFor)).toEqual([
    '{{user.names}}',
    '{{user.names}}',
    '{{user.names}}',
    '{{user.names}}',
    '',
    '',
    '',
  ]);
});
