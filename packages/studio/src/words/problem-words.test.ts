import { problemCodes } from '@hilo/engine/authoring';
import { expect, it } from 'vitest';
import { inSpanish, spanish } from './problem-words-es.ts';

it('every problem has a Spanish text, and none is left in English', () => {
  expect(Object.keys(spanish).toSorted()).toEqual(Object.keys(problemCodes).toSorted());
  for (const code of Object.keys(problemCodes)) {
    const { message, hint } = inSpanish({ code, message: 'detail', hint: 'hint', subject: '$context.a' });
    expect({ code, message, hint }).not.toMatchObject({ hint: 'hint' });
    expect(message).not.toMatch(/[{}]/);
    expect(message.endsWith('.')).toBe(false);
  }
});

it('what the engine says most of a field is said in Spanish, and the rest as it is', () => {
  const of = (message: string) => inSpanish({ code: 'INVALID_CONFIG', message, hint: '' }).message;
  expect(of('"title" is blank: write at least one visible character')).toContain('"title" está en blanco');
  expect(of('"text" is missing')).toContain('falta "text"');
  expect(of('$& is odd')).toContain('$& is odd');
  expect(inSpanish({ code: 'OF_A_HOST', message: 'a', hint: 'b' })).toEqual({ message: 'a', hint: 'b' });
});
