import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';

describe('parseJson (P33, T7, T8)', () => {
  it('reads whatever JSON holds, as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary-ascii', maxDepth: 2 }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('takes 64 levels and 10,000 keys, and not one more', () => {
    const levels = (count: number): string => '[{"a":'.repeat(count / 2) + '1' + '}]'.repeat(count / 2);
    const keysOf = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`:{${n}`, '[{":'])));
    expect(() => parseJson(levels(64))).not.toThrow();
    expect(() => parseJson(levels(66))).toThrow('more than 64 levels');
    expect(() => parseJson(keysOf(10_000))).not.toThrow();
    expect(() => parseJson(keysOf(10_001))).toThrow('more than 10000 keys');
  });

  it('looks at no bracket inside of a text, however its quotes are written', () => {
    for (const text of ['\\"'.repeat(50), '\\\\', '\\\\\\"[[', '['.repeat(100)])
      expect(parseJson(`["${text}"]`)).toEqual(JSON.parse(`["${text}"]`));
  });

  it('drops __proto__ at every level, however it is spelled', () => {
    const value = parseJson('{"a":{"__proto__":{"x":1},"b":[{"\\u005f\\u005fproto__":1}]},"__proto__":2}');
    expect(value).toEqual({ a: { b: [{}] } });
    expect(Object.getOwnPropertyNames(value)).toEqual(['a']);
  });

  it('takes no longer where a name may be spelled with escapes (P20)', () => {
    const lists = `[${Array.from({ length: 330_000 }, () => '[]').join(',')}]`;
    const before = process.threadCpuUsage();
    for (const text of ['\\u0041', '__proto__']) expect(parseJson(`{"z":${lists},"t":"${text}"}`)).toHaveProperty('z.329999', []);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(400);
  });

  it.each(['1e999', '-1e999', '{"a":[1E400]}', '9'.repeat(400), `[${'1'.repeat(310)}.5]`])(
    'refuses %s, which nothing can keep (P19)',
    (text) => expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 400 })),
  );

  it('takes the largest number there is', () =>
    expect(parseJson('[1.7976931348623157e308,5e-324,1e-999]')).toEqual([Number.MAX_VALUE, 5e-324, 0]));

  it('answers in a moment whatever a text of 1 MB is', () => {
    for (const text of ['"'.repeat(1e6), '\\'.repeat(1e6), `"${'\\'.repeat(1e6)}`, '"\\"'.repeat(3e5), '[1,'.repeat(3e5)]) {
      const before = process.threadCpuUsage();
      expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 400 }));
      expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
    }
  });
});
