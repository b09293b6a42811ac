import { expressionLanguage } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { completionsAt } from './completions.ts';

const choices = {
  workflows: [],
  credentials: [],
  templates: [],
  channels: [],
  valueOf: (path: string) => (path === '$context.answer' ? { body: { state: 'lost' }, 'odd key': 1 } : undefined),
  fieldsOf: (path: string) => (path === '$context.answer' ? ['body', 'status'] : []),
  variables: [
    { path: '$context.executionId', where: 'always' as const },
    { path: '$context.order', where: 'always' as const },
    { path: '$context.note', where: 'sometimes' as const },
  ],
};
const titles = { always: 'a', sometimes: 's', canvas: 'c', fields: 'f', scopes: 'o', functions: 'u' };
const at = (text: string) => {
  const position = text.indexOf('|');
  return completionsAt(text.replace('|', ''), position, choices, titles);
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

  it('shows a variable without its scope, and the execution itself after those of the author', () => {
    const options = at('{{|')?.options ?? [];
    expect(options[0]).toMatchObject({ label: '$context.order', displayLabel: 'order' });
    expect(options.filter(({ label }) => label === '$context.executionId').map(({ section }) => section.rank)).toEqual([2]);
  });

  it('offers the fields of what a variable holds: those that are known, and those of the last test', () => {
    const options = at('{{$context.answer.|')?.options.filter(({ section }) => section.name === 'f') ?? [];
    expect(options.map(({ displayLabel, detail }) => [displayLabel, detail])).toEqual([
      ['body', '{"state":"lost"}'],
      ['status', ''],
    ]);
    expect(applied('{{$context.answer.st|}}', '$context.answer.status')).toBe('{{$context.answer.status}}');
    expect(at('{{$context.order.|')?.options.filter(({ section }) => section.name === 'f')).toEqual([]);
  });

  it('offers every function of the language, with what it does and an example', () => {
    const offered = (at('{{inst|')?.options ?? []).filter(({ section }) => section.name === 'u');
    const names = new Set(offered.map(({ label }) => label));
    const called = expressionLanguage.flatMap(({ forms }) => forms.flatMap((form) => /^([A-Za-z][\w.]*)\(/.exec(form)?.[1] ?? []));
    expect(called.filter((name) => !names.has(name))).toEqual([]);
    expect(offered.length).toBeGreaterThanOrEqual(66);
    expect(applied('{{inst|', 'instant')).toBe('{{instant(');
    expect(offered.find(({ label }) => label === 'upper')?.info).toBe('Converts to upper case.\nupper("Ana") → "ANA"');
  });
});
