import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './bounded-json.ts';

describe('parseJson (P33, T7, T8)', () => {
  it('agrees with JSON.parse for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary-ascii', maxDepth: 2 }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts 64 levels and 10,000 keys, and not one more', () => {
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

  it('accepts 50,000 values, and not one more: each costs time, however small (P20)', () => {
    const list = (item: string, count: number): string => `[${Array.from({ length: count }, () => item).join(',')}]`;
    for (const [item, parts] of [
      ['1', 1],
      ['","', 1],
      ['[]', 2],
      ['[[1]]', 3],
    ] as const) {
      const most = Math.floor(49_999 / parts);
      expect(parseJson(list(item, most))).toHaveLength(most);
      expect(() => parseJson(list(item, most + 1))).toThrow('more than 50000 values');
    }
  });

  it('drops __proto__, however it is escaped, from a body with the most lists that are allowed', () => {
    const lists = `[${Array.from({ length: 24_000 }, () => '[]').join(',')}]`;
    for (const text of ['\\u0041', '__proto__'])
      expect(parseJson(`{"z":${lists},"__proto__":1,"t":"${text}"}`)).toEqual({
        z: expect.any(Array) as unknown,
        t: expect.any(String) as unknown,
      });
  });

  it.each(['1e999', '-1e999', '{"a":[1E400]}', '9'.repeat(400), `[${'1'.repeat(310)}.5]`])(
    'refuses %s, which nothing can keep (P19)',
    (text) => expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 400 })),
  );

  it('accepts the largest number', () =>
    expect(parseJson('[1.7976931348623157e308,5e-324,1e-999]')).toEqual([Number.MAX_VALUE, 5e-324, 0]));

  it('reads each character of any text of 1 MB a few times at most (P20)', () => {
    const cpuMs = (work: () => void): number => {
      const before = process.threadCpuUsage();
      work();
      return process.threadCpuUsage(before).user / 1_000;
    };
    const plain = JSON.stringify('x'.repeat(1e6));
    const charByChar = cpuMs(() => {
      for (let at = 0; at < plain.length; at += 1) if (plain.charCodeAt(at) === 0) throw new Error('There is no NUL');
    });
    for (const text of ['"'.repeat(1e6), '\\'.repeat(1e6), `"${'\\'.repeat(1e6)}`, '"\\"'.repeat(3e5), '[1,'.repeat(3e5)]) {
      const refused = cpuMs(() => expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 400 })));
      expect(refused / Math.max(charByChar, 1)).toBeLessThan(200); // quadratic work would be some 100,000 times
    }
  });
});
