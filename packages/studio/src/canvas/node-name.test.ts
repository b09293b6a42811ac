import { describe, expect, it } from 'vitest';
import { nodeName } from './node-name.ts';

describe('the name of a node', () => {
  const word = (type: string): string => type.toUpperCase();
  const text = 'x'.repeat(41);
  const nodes = [
    { id: 'a', type: 'message', data: { label: 'Welcome', message: { type: 'text', text: 'Hello' } } },
    { id: 'b', type: 'message', data: { label: '', message: { type: 'text', text: 'Hello' } } },
    { id: 'c', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'd', type: 'message', data: { message: { type: 'text', text: text.slice(1) } } },
    { id: 'e', type: 'api', data: {} },
    { id: 'f', type: 'api' },
    { id: 'g', type: 'end', data: { label: 5, message: 'Hello' } },
  ];
  it.each([
    ['a', 'Welcome'],
    ['b', 'MESSAGE: Hello'],
    ['c', `MESSAGE: ${'x'.repeat(39)}…`],
    ['d', `MESSAGE: ${'x'.repeat(40)}`],
    ['e', 'API (e)'],
    ['f', 'API (f)'],
    ['g', 'END'],
    ['gone', 'gone'],
  ])('of %s is %s', (id, name) => expect(nodeName({ nodes }, id, word)).toBe(name));

  it('is the same where the same node is in two versions', () => {
    expect(
      nodeName(
        {
          nodes: [
            { id: 'g', type: 'end' },
            { id: 'g', type: 'end' },
          ],
        },
        'g',
        word,
      ),
    ).toBe('END');
  });
});
