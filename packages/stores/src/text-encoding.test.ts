import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeDeliveryKey, encodeKey } from './text-encoding.ts';

it('the key of a delivery keeps its company, fits an index, and is that of no other delivery', () =>
  fc.assert(
    fc.property(fc.nat(), fc.string({ maxLength: 260 }), fc.nat(), fc.string({ maxLength: 260 }), (one, mine, two, others) => {
      const [key, other] = [`${one}:webhook:${mine}`, `${two}:webhook:${others}`];
      const [column, beside] = [encodeDeliveryKey(key), encodeDeliveryKey(other)];
      expect(column.replace(/^"/, '').startsWith(`${one}:`)).toBe(true);
      expect(column.length).toBeLessThanOrEqual(200);
      expect(column === beside).toBe(key === other);
      expect(column === encodeKey(key)).toBe(!encodeKey(key).startsWith('"#'));
    }),
  ));

it('a key without a company is any other key', () => {
  const key = 'x'.repeat(300);
  expect(encodeDeliveryKey(key)).toBe(encodeKey(key));
});
