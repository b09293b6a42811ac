import { VariablePath } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOf } from './names.ts';
import { kindOf, nameFor } from './suggestions.ts';

describe('the name that is suggested for an answer', () => {
  it('is of the label, in camel case and without signs, or else of the kind of answer', () => {
    expect(nameFor({ label: '¿Cuál es tu correo?' })).toBe('cualEsTuCorreo');
    expect(nameFor({ label: '2nd TEAM size' })).toBe('ndTeamSize');
    expect(nameFor({ label: '你好', input: { kind: 'date' } })).toBe('day');
    expect(nameFor({ input: { kind: 'email' } })).toBe('email');
    for (const label of ['Prototype', '¿constructor?', '__proto__'])
      expect(VariablePath.safeParse(pathOf(nameFor({ label, input: { kind: 'text' } }) ?? '')).success).toBe(true);
    expect(nameFor({ label: 'Prototype', input: { kind: 'text' } })).toBe('answer');
    expect([nameFor({}), nameFor({ input: { kind: 'toString' } }), kindOf({ input: 'date' })]).toEqual([undefined, undefined, undefined]);
  });

  it('is a place to write, whatever the label is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (label) => {
        const name = nameFor({ label });
        expect(name === undefined || VariablePath.safeParse(pathOf(name)).success).toBe(true);
      }),
    );
  });
});
