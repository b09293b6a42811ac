import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeDeliveryKey, encodeKey } from './text-encoding.ts';

it('the key of a delivery keeps its company, fits an index, and is that of no other delivery', () =>
  fc.assert(
    fc.property(fc.nat(), fc.string({ maxLength: 300, unit: 'binary' }), fc.nat(), fc.string({ maxLength: 300, unit: 'binary' }), (one, mine, two, others) => {
      const [key, other] = [`${one}:webhook:${mine}`, `${two}:webhook:${others}`];
      const [column, beside] = [encodeDeliveryKey(key), encodeDeliveryKey(other)];
      expect(column.replace(/^"/, '').startsWith(`${one}:`)).toBe(true);
      expect(column.length).toBeLessThanOrEqual(200);
      expect(column === beside).toBe(key === other);
      if (encodeKey(key).length < 60) expect(column).toBe(encodeKey(key));
    }),
  ));

it('a key without a company is any other key', () => {
  const key = 'x'.repeat(300);
  expect(encodeDeliveryKey(key)).toBe(encodeKey(key));
});
