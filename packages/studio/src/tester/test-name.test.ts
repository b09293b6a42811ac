import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testName } from './test-name.ts';

describe('the name of a test', () => {
  it.each([
    ['no reply', 'no-reply'],
    ['  Sí, mañana!  ', 'Si-manana'],
    ['order_7.b', 'order_7.b'],
    ['../../etc', 'etc'],
    ['注文', ''],
    ['-', ''],
  ])('"%s" is kept as "%s"', (written, name) => expect(testName(written)).toBe(name));

  it('is one that the service takes, whatever was written, and the same again', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (written) => {
        const name = testName(written);
        expect(name).toMatch(/^[A-Za-z0-9_.-]{0,100}$/);
        expect(testName(name)).toBe(name.replace(/[-.]+$/, ''));
      }),
    ));
});
