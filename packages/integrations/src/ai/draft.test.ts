/** Whatever the pieces of a reply: no draft of it has a mark, a secret, or the half of either. */
import { createVirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withholdingSecrets } from '../../../drivers/src/http/withhold.ts';
import { createDraft } from './draft.ts';

const secret = 'sk-canary-123';

function open(secrets: readonly string[] = [secret]) {
  const clock = createVirtualClock(0);
  const shown: { readonly atMs: number; readonly text: string }[] = [];
  const draft = createDraft(clock, withholdingSecrets(secrets), (value) =>
    shown.push({ atMs: clock.now(), text: (value as { readonly text: string }).text }),
  );
  return { clock, shown, draft };
}

/** Texts with marks and the secret in them, in pieces, and how long it takes until the next. */
const pieces = fc
  .array(fc.oneof(fc.constantFrom('[[v1]]', '[[v200]]', secret, '[', '[[', 'v1]]', 'sk-', 'é😀', 'Hi '), fc.string({ maxLength: 4 })), {
    maxLength: 12,
  })
  .chain((parts) => {
    const text = parts.join('');
    return fc.array(fc.tuple(fc.nat({ max: text.length }), fc.nat({ max: 120 })), { maxLength: 12 }).map((cuts) => {
      const places = [...new Set([0, ...cuts.map(([at]) => at), text.length])].toSorted((one, other) => one - other);
      return places.slice(1).map((at, index) => ({ text: text.slice(places[index], at), afterMs: cuts[index]?.[1] ?? 0 }));
    });
  });

describe('a draft', () => {
  it('never shows a mark, a secret, or the beginning of either that is no whole one', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const { clock, shown, draft } = open();
        for (const { text, afterMs } of given) {
          draft.add(text);
          clock.advanceBy(afterMs);
        }
        const whole = given.map(({ text }) => text).join('');
        const final = whole.replaceAll(secret, '[redacted]').replace(/\[\[v\d{1,4}\]\]/g, '…');
        for (const { text } of shown) {
          expect(text).not.toMatch(/\[\[v\d{1,4}\]\]|sk-canary/);
          expect(final.startsWith(text)).toBe(true); // half of something would be no beginning of what stands there at last
          expect(text).not.toMatch(/[\uD800-\uDBFF]$/);
        }
        draft.finish();
        expect(shown.at(-1)?.text ?? '').toBe(final.replace(/[\uD800-\uDBFF]$/, ''));
      }),
    );
  });

  it('is shown at once, then every 50 ms at most, and whole at the end', () => {
    const { clock, shown, draft } = open();
    for (const word of ['One', ' two', ' three']) {
      draft.add(word);
      clock.advanceBy(1);
    }
    expect(shown).toEqual([{ atMs: 0, text: 'One' }]);
    clock.advanceBy(46);
    expect(shown).toHaveLength(1);
    clock.advanceBy(1);
    expect(shown[1]).toEqual({ atMs: 50, text: 'One two three' });
    draft.add(' four');
    draft.finish();
    expect(shown[2]).toEqual({ atMs: 50, text: 'One two three four' });
    clock.advanceBy(1_000);
    draft.withdraw();
    expect(shown).toHaveLength(3);
  });

  it('is taken back once, and shows nothing more', () => {
    const { clock, shown, draft } = open();
    draft.add('Let me look.');
    draft.add(' One moment.');
    draft.withdraw();
    draft.withdraw();
    draft.add('More');
    draft.finish();
    clock.advanceBy(1_000);
    expect(shown.map(({ text }) => text)).toEqual(['Let me look.', '']);
    const silent = open();
    silent.draft.withdraw();
    expect(silent.shown).toEqual([]);
  });
});
