// Values that the withheld paths of an execution had at any time, hidden from whoever reads it.
import { formatPath, type Json, type Path } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideWithheld } from './hide-withheld.ts';

const canvasWith = (withhold: Json): { readonly nodes: readonly { readonly type: string; readonly data: Json }[] } => ({
  nodes: [
    { type: 'end', data: {} },
    { type: 'agent', data: { withhold } },
  ],
});
const step = fc.constantFrom('pin', 'card', 'notes');
const secret = fc.nat(9_999).map((number) => `Secret${number}!`);
/** A place below `$context` that is withheld, the one that is written, and what stands at the withheld one by that. */
const written = fc.oneof(
  fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.nat(3), secret).map(([steps, cut, value]) => {
    const at = Math.max(1, steps.length - cut);
    const inside = steps.slice(at).reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
    return { withheld: steps, path: steps.slice(0, at), value: inside, secret: value };
  }),
  fc.tuple(fc.array(step, { minLength: 1, maxLength: 2 }), step, secret).map(([steps, name, value]) => ({
    withheld: steps,
    path: [...steps, name],
    value,
    secret: value,
  })),
);
const pathOf = (steps: readonly string[]): string => formatPath(['$context', ...steps] as Path);

describe('what is withheld of an execution', () => {
  it('is hidden whatever its path had before: the part of a larger write, or what was written inside of it', () =>
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), (writes) => {
        const entries: Json[] = writes.map(({ path, value }) => ({ step: 1, writes: [{ path: pathOf(path), value }] }));
        const told = writes.map(({ secret: text }) => `It was ${text}`);
        const canvas = canvasWith(writes.map(({ withheld }) => pathOf(withheld)));
        const hidden = JSON.stringify(hideWithheld([canvas], [{ variables: { $context: {} }, entries }], { entries, told }));
        expect(hidden).not.toContain('Secret');
      }),
    ));

  it('is hidden where the user wrote it, and in what a caller of the execution withholds', () => {
    const caller = { variables: { $user: { id: '5215512345678' } }, entries: [{ heard: { text: 'My PIN is 4711' } }] };
    const child = { variables: { $input: { user: '5215512345678' } }, entries: ['odd', null, { writes: 7 }] };
    const canvases = [{ nodes: [] }, canvasWith(['$user.id', '$message.text', 7, 'no path'])];
    const told = { user: '+52 155 1234 5678', said: 'my pin is 4711', other: 'mine' };
    expect(hideWithheld(canvases, [child, caller], told)).toEqual({ user: '[[v1]]', said: '[[v2]]', other: 'mine' });
  });

  it('leaves all as it is where no agent withholds anything', () => {
    const told = { text: '[[v1]]' };
    expect(hideWithheld([canvasWith([])], [{ variables: { $context: { pin: '4711' } }, entries: [] }], told)).toBe(told);
  });
});
