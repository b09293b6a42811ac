import { describe, expect, it } from 'vitest';
import { completionsAt } from './completions.ts';

const choices = {
  workflows: [],
  credentials: [],
  templates: [],
  channels: [],
  valueOf: () => undefined,
  variables: [
    { path: '$context.order', where: 'always' as const },
    { path: '$context.note', where: 'sometimes' as const },
  ],
};
const at = (text: string) => {
  const position = text.indexOf('|');
  return completionsAt(text.replace('|', ''), position, choices);
};
const applied = (text: string, label: string): string | undefined => {
  const found = at(text);
  const option = found?.options.find((one) => one.label === label);
  const plain = text.replace('|', '');
  return option && `${plain.slice(0, found?.from)}${option.apply}${plain.slice(text.indexOf('|'))}`;
};

describe('completion', () => {
  it('opens at {{ and at $, and nowhere else in a text', () => {
    expect(at('Hi |')).toBeNull();
    expect(at('Hi {{|')).not.toBeNull();
    expect(at('Hi $|')).not.toBeNull();
    expect(at('{{$context.a}} and |')).toBeNull();
    expect(at('{{1 + |')).toBeNull();
  });

  it('writes the whole expression, and with a default what only some ways write', () => {
    expect(applied('Hi $|', '$context.order')).toBe('Hi {{$context.order}}');
    expect(applied('Hi {{|', '$context.order')).toBe('Hi {{$context.order}}');
    expect(applied('Hi {{$con|}}', '$context.order')).toBe('Hi {{$context.order}}');
    expect(applied('Hi {{ | }}', '$context.note')).toBe('Hi {{ $context.note ?? "" }}');
  });

  it('offers variables that are written on every path first', () => {
    const ranks = at('{{|')?.options.map(({ section }) => section.rank) ?? [];
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(at('{{|')?.options[0]?.label).toBe('$context.order');
  });
});
