/** The window of a conversation, at its limits. */
import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '@hilo/engine/contract';
import { fitHistory, type Part, transcriptOf } from './talk.ts';

const turns: readonly Part[] = Array.from({ length: 3 }, (_, index): readonly Part[] => [
  { role: 'user', text: `question ${index}` },
  { role: 'assistant', text: `an "answer" ${index} ¿é?` },
]).flat();
const chars = turns.reduce((sum, part) => sum + JSON.stringify(part).length, 0);

describe('the window of a conversation', () => {
  it.each([
    { most: 6, chars, left: 6 },
    { most: 6, chars: chars + 1, left: 6 },
    { most: 6, chars: chars - 1, left: 4 },
    { most: 7, chars, left: 6 },
    { most: 5, chars, left: 4 },
  ])('has $left of six messages with $most messages and $chars characters allowed', ({ most, chars: allowed, left }) => {
    expect(fitHistory(turns, { messages: most, chars: allowed })).toEqual(turns.slice(6 - left));
  });

  it.each([1, 2, 3, 4, 5])('is a transcript of whole lines within 16 KB (%#)', (length) => {
    const long = Array.from({ length: 40 }, (_, index) => ({
      role: 'user' as const,
      text: `${index} ${'\u0001é€'.repeat(length * 100)}`,
    }));
    const lines = transcriptOf(long);
    const whole = long.map(({ text }) => ({ from: 'user', text }));
    const bytes = utf8Bytes(JSON.stringify(lines));
    expect(bytes).toBeLessThanOrEqual(16 * 1024 + 2);
    const kept = Array.isArray(lines) ? lines.length : 0;
    expect(lines).toEqual(whole.slice(-kept));
    expect(kept === whole.length || bytes + utf8Bytes(JSON.stringify(whole.at(-kept - 1))) > 16 * 1024).toBe(true);
  });
});
