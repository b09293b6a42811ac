/**
 * Prepares a fresh realm for the code of a canvas: the clock stands still, random numbers come from a seed, and other sources of
 * nondeterminism are removed. Evaluates to a function of the instant and the seed, which returns what the host needs of the realm,
 * captured before the code can change it.
 */
export const realmProgram = `(function (nowMs, seed) {
  'use strict';
  const { construct, deleteProperty } = Reflect;
  const { parse, stringify } = JSON;
  const { imul } = Math;
  const text = String;
  const RealDate = Date;

  for (const name of ['performance', 'queueMicrotask', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'])
    deleteProperty(globalThis, name);

  function FixedDate(...given) {
    if (new.target === undefined) return new RealDate(nowMs).toString();
    return construct(RealDate, given.length === 0 ? [nowMs] : given, new.target);
  }
  const own = (value) => ({ value, writable: true, enumerable: false, configurable: true });
  Object.defineProperties(FixedDate, {
    name: { value: 'Date', configurable: true },
    length: { value: 7, configurable: true },
    prototype: { value: RealDate.prototype, writable: false },
    now: own(function now() { return nowMs; }),
    parse: own(RealDate.parse),
    UTC: own(RealDate.UTC),
  });
  Object.defineProperty(RealDate.prototype, 'constructor', own(FixedDate));
  Object.defineProperty(globalThis, 'Date', own(FixedDate));

  // mulberry32
  Object.defineProperty(Math, 'random', own(function random() {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = imul(seed ^ (seed >>> 15), seed | 1);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }));

  return [
    parse,
    (value) => stringify(value),
    (error) => {
      try {
        if (typeof error !== 'object' || error === null) return stringify([text(error), '']);
        return stringify([text(error.name) + ': ' + text(error.message), text(error.stack)]);
      } catch {
        return '';
      }
    },
  ];
})`;
