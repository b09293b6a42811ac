/**
 * Prepares a fresh realm for the code of a canvas: the clock stands still, random numbers come from a seed, and other sources of
 * nondeterminism are removed. QuickJS has no locales and ignores them in silence, so that what writes for a locale is refused. Only what
 * JSON holds is written: what \`JSON.stringify\` drops or changes is an error, as in the result of a driver. Evaluates to a function of the instant and the seed, which returns what the host needs of the realm,
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

  const noLocales = (name) => {
    const refused = { [name]() {
      throw new TypeError(name + '(): code has no locales and no time zones; use formatNumber() and format() in an expression, and give their text as input');
    } };
    return own(refused[name]);
  };
  const TypedArray = Reflect.getPrototypeOf(Uint8Array);
  for (const [of, names] of [
    [Number, ['toLocaleString']],
    [BigInt, ['toLocaleString']],
    [Array, ['toLocaleString']],
    [TypedArray, ['toLocaleString']],
    [RealDate, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']],
  ])
    for (const name of names) Object.defineProperty(of.prototype, name, noLocales(name));
  // Without a locale these compare and change texts by Unicode alone.
  const { apply } = Reflect;
  for (const [name, at] of [['localeCompare', 1], ['toLocaleUpperCase', 0], ['toLocaleLowerCase', 0]]) {
    const plain = String.prototype[name];
    const refused = noLocales(name).value;
    const checked = { [name](...given) { return given.slice(at).some((one) => one !== undefined) ? refused() : apply(plain, this, given); } };
    Object.defineProperty(String.prototype, name, own(checked[name]));
  }

  const { getPrototypeOf } = Reflect;
  const { isArray } = Array;
  const { isFinite } = Number;
  const [plainPrototype, listPrototype, RealMap] = [Object.prototype, Array.prototype, Map];
  const refuse = (key, what) => {
    throw new TypeError('The code returned ' + what + (key === '' ? '' : ' at "' + text(key) + '"') + ', which JSON cannot hold');
  };
  /** A replacer that changes nothing, and refuses what stringify would change. */
  function keep(key, value) {
    const raw = this[key];
    switch (typeof raw) {
      case 'string':
      case 'boolean':
      case 'bigint': // stringify refuses it
        return value;
      case 'number':
        return isFinite(raw) ? value : refuse(key, text(raw));
      case 'object':
        break;
      default:
        return refuse(key, raw === undefined ? 'undefined' : 'a ' + typeof raw);
    }
    if (raw === null) return value;
    const prototype = getPrototypeOf(raw);
    if (isArray(raw) ? prototype !== listPrototype : prototype !== plainPrototype && prototype !== null) {
      const made = prototype?.constructor;
      refuse(key, 'a value of the class ' + (made === FixedDate ? 'Date (give its toISOString())' : made === RealMap ? 'Map (give its Object.fromEntries())' : text(made?.name)));
    }
    return value === raw ? value : refuse(key, 'an object with toJSON()');
  }

  return [
    parse,
    (value) => stringify(value, keep),
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
