import { describe, expect, it } from 'vitest';
import { note } from './note.ts';

describe('note', () => {
  it('is a remark, without ports', () => {
    const config = note.config.parse({ text: 'Ask Ana' });
    expect([note.isRemark, note.ports(config), note.optionalPorts(config)]).toEqual([true, [], []]);
  });

  it('accepts 10,000 characters', () => {
    expect([10_000, 10_001].map((length) => note.config.safeParse({ text: 'x'.repeat(length) }).success)).toEqual([true, false]);
  });
});
