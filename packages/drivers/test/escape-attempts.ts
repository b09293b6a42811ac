/**
 * What code may try in order to get out of its sandbox, to stay behind in it, or to stop whoever runs it. Each is the body
 * of a function. Those of `reaches` return what they found, and there is nothing to find; those of `stops` would never
 * end, or take all there is.
 */

/** Names that only a host has. */
const hostNames =
  'process require module exports global Buffer console fetch WebSocket setTimeout setInterval setImmediate clearTimeout structuredClone navigator performance crypto WebAssembly Worker SharedArrayBuffer Atomics __filename __dirname import_meta Deno Bun window self document std os bjson scriptArgs print load read gc';

export const reaches: readonly (readonly [string, string])[] = [
  ['a global of the host', `return '${hostNames}'.split(' ').filter((name) => name in globalThis).join() || null;`],
  ['the same by this', 'return (function () { return this?.process ?? null; })();'],
  ['the same by a sloppy function', 'return Function("return this.process ?? this.require ?? null")();'],
  ['the constructor of a function', 'return (() => {}).constructor("return typeof process")() === "undefined" ? null : 1;'],
  ['the constructor of the input', 'return input.constructor.constructor("return typeof process")() === "undefined" ? null : 1;'],
  ['the constructor of what the host made', 'return input.list.constructor.constructor("return globalThis.process ?? null")();'],
  ['the constructor of a text', 'return "".sub.constructor("return globalThis.require ?? null")();'],
  ['the constructor of an async function', 'return (async () => {}).constructor("return 1").name === "AsyncFunction" ? 1 : null;'],
  [
    'the constructor of a generator',
    'return Object.getPrototypeOf(function* () {}).constructor("yield typeof process")().next().value === "undefined" ? null : 1;',
  ],
  [
    'the constructor of an error of the host',
    'try { null.a } catch (e) { return e.constructor.constructor("return globalThis.process ?? null")(); }',
  ],
  [
    'the constructor of an error of a deep stack',
    'const f = () => f() + 1; try { f(); } catch (e) { return e.constructor.constructor("return globalThis.process ?? null")(); }',
  ],
  ['the caller of the function', 'try { return arguments.callee.caller === undefined ? null : 1; } catch { return null; }'],
  ['the arguments of the caller', 'function f() { try { return f.caller ?? f.arguments ?? null; } catch { return null; } } return f();'],
  ['direct eval', 'return eval("typeof process") === "undefined" ? null : 1;'],
  ['indirect eval', 'return (0, eval)("this.process ?? this.require ?? null");'],
  ['import', 'try { return eval("import(\'fs\')") instanceof Promise ? null : 1; } catch { return null; }'],
  [
    'import of a module of the machine',
    'let found = null; try { import("qjs:os").then((os) => { found = os; }, () => {}); } catch {} return found;',
  ],
  ['import.meta', 'try { return eval("import.meta.url"); } catch { return null; }'],
  ['require by a comment', 'try { return eval("require/**/(\'fs\')"); } catch { return null; }'],
  [
    'Error.prepareStackTrace',
    'Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error(); return typeof stack === "string" ? null : stack.map((frame) => frame.getThis?.()?.process).find(Boolean) ?? null;',
  ],
  ['paths in a stack', 'return /\\/|file:|node|wasm/.test(new Error().stack) ? new Error().stack : null;'],
  ['Error.captureStackTrace', 'const o = {}; Error.captureStackTrace?.(o); return /\\/|node/.test(o.stack ?? "") ? o.stack : null;'],
  ['the class of the input', 'return Object.getPrototypeOf(input) === Object.prototype ? null : 1;'],
  ['__proto__ of the input', 'return input.__proto__.__proto__ === null ? null : 1;'],
  ['a getter in the input', 'return Object.values(Object.getOwnPropertyDescriptors(input)).some(({ get, set }) => get || set) ? 1 : null;'],
  ['a proxy around the realm', 'return new Proxy(globalThis, {}).process ?? null;'],
  [
    'the global object by Reflect',
    'return Reflect.ownKeys(globalThis).filter((key) => /process|require|host|native/i.test(String(key))).join() || null;',
  ],
  [
    'hidden symbols of the realm',
    'return Object.getOwnPropertySymbols(globalThis).filter((symbol) => symbol !== Symbol.toStringTag).length || null;',
  ],
  [
    'the real time',
    'const real = [Date.now(), +new Date(), Date.parse(Date()), +Reflect.construct(Date, [])]; return real.every((ms) => ms === 1e12) ? null : real;',
  ],
  [
    'the real time by the prototype',
    'const D = Object.getPrototypeOf(new Date()).constructor; return D.now() === 1e12 && +new D() === 1e12 ? null : 1;',
  ],
  [
    'the real time by a subclass',
    'class Mine extends Date {} return +new Mine() === 1e12 && Mine.now() === 1e12 && Object.getPrototypeOf(Date) === Function.prototype ? null : 1;',
  ],
  ['the real time by a species', 'return +new (new Date().constructor)() === 1e12 ? null : 1;'],
  ['the time zone of the host', 'return new Date(0).getTimezoneOffset() === 0 ? null : new Date().getTimezoneOffset();'],
  [
    'a clock that counts',
    'let n = 0; const began = Date.now(); while (Date.now() === began && n < 1e4) n += 1; return n === 1e4 ? null : n;',
  ],
  ['random numbers of the host', 'return Math.random() === 0.011704753153026104 ? null : 1;'],
  ['memory shared between threads', 'return typeof SharedArrayBuffer === "undefined" && typeof Atomics === "undefined" ? null : 1;'],
  ['when memory is collected', 'return typeof WeakRef === "undefined" && typeof FinalizationRegistry === "undefined" ? null : 1;'],
  ['memory beyond a buffer', 'const b = new ArrayBuffer(8); try { return new DataView(b).getUint8(4096); } catch { return null; }'],
  [
    'memory beyond a buffer that shrank',
    'const b = new ArrayBuffer(64, { maxByteLength: 64 }); const a = new Uint8Array(b); b.resize?.(0); return a[32] ?? null;',
  ],
  ['memory that was not cleared', 'return new Uint8Array(1e6).some(Boolean) ? 1 : null;'],
  ['memory of a transferred buffer', 'const b = new ArrayBuffer(64); const a = new Uint8Array(b); b.transfer?.(); return a[0] ?? null;'],
  [
    'a length that lies during a sort',
    'const a = [3, 2, 1]; a.sort(() => { a.length = 0; return 1; }); return a.some((x) => x > 3) ? a : null;',
  ],
  [
    'a length that lies during a join',
    'const a = [1, { toString() { a.length = 1e6; return ""; } }, 2]; return a.join().length < 1e5 ? null : 1;',
  ],
  [
    'a species that lies',
    'class A extends Array { static get [Symbol.species]() { return function () { return { length: 0 }; }; } } return new A(1, 2, 3).map((x) => x) instanceof Array ? 1 : null;',
  ],
  ['what a run before left in the realm', 'return globalThis.left ?? Object.prototype.left ?? Array.prototype.left ?? null;'],
];

/** Whatever these leave behind or return, the next run finds nothing of it and the host is what it was. */
export const meddles: readonly (readonly [string, string])[] = [
  ['leaves a global behind', 'globalThis.left = 1; Object.prototype.left = 1; Array.prototype.left = 1;'],
  ['changes JSON', 'JSON.stringify = () => "{\\"forged\\":true}"; JSON.parse = () => 1; return 1;'],
  ['changes how it is written', 'Object.prototype.toJSON = function () { return globalThis; }; return {};'],
  ['freezes the realm', 'Object.freeze(Object.prototype); Object.freeze(globalThis); return 1;'],
  [
    'returns a proxy',
    'return new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: () => 1 });',
  ],
  ['returns a proxy that throws', 'return new Proxy({}, { get() { throw new Proxy({}, { get() { throw 1; } }); } });'],
  ['returns a getter', 'return { get a() { return this; } };'],
  ['returns a key of the prototype', 'return JSON.parse(\'{"__proto__":{"left":1},"constructor":{"prototype":{"left":1}}}\');'],
  ['returns a promise', 'return Promise.resolve({ then(f) { f(1); } });'],
  ['returns what can be awaited', 'return { then(resolve) { resolve(globalThis); } };'],
  ['returns a generator', 'return (function* () { for (;;) yield 1; })();'],
  ['returns an async function', 'return async () => 1;'],
  ['returns a symbol', 'return Symbol.iterator;'],
  ['returns a bigint', 'return 2n ** 64n;'],
  ['returns a circle', 'const a = {}; a.a = a; return a;'],
  ['returns what is too long', 'return "x".repeat(70_000);'],
  ['returns what is too deep', 'let a = 1; for (let n = 0; n < 200; n += 1) a = [a]; return a;'],
  ['returns half a surrogate pair and NUL', 'return "\\ud800\\0\\u2028";'],
  ['returns a line break for the protocol', 'return "\\n{\\"kind\\":\\"returned\\",\\"text\\":\\"1\\"}\\n";'],
  ['throws null', 'throw null;'],
  ['throws a symbol', 'throw Symbol("s");'],
  ['throws what cannot be shown', 'throw { get name() { throw 1; }, toString: null, [Symbol.toPrimitive]: () => ({}) };'],
  [
    'throws an error that is not its own',
    'const e = new Error(); Object.defineProperty(e, "message", { get() { return globalThis; } }); throw e;',
  ],
  ['throws a forged place', 'const e = new Error("x"); e.stack = "at code.js:999999999999"; throw e;'],
  ['throws a very long message', 'throw new Error("x".repeat(1e6));'],
  ['leaves a job behind', 'Promise.resolve().then(() => { for (;;); }); return 1;'],
  ['leaves a rejection behind', 'Promise.reject(new Error("late")); return 1;'],
  ['ends its function early', '}); globalThis.left = 1; (function () { return 2;'],
  ['is no JavaScript', 'return ((;'],
  ['forges the words for full memory', 'throw Object.assign(new Error("out of memory"), { name: "InternalError" });'],
  ['catches a full stack', 'let n = 0; const f = () => { n += 1; f(); }; try { f(); } catch {} return n > 0;'],
];

export const stops: readonly (readonly [string, string])[] = [
  ['a loop', 'for (;;);'],
  ['a loop that catches its end', 'for (;;) { try { for (;;); } catch {} finally { continue; } }'],
  ['a regular expression', 'return /(a+)+$/.test("a".repeat(40) + "b");'],
  ['a regular expression with look-behind', 'return /(?<=(a+)+)b(x+x+)+y/.test("a".repeat(5_000) + "b" + "x".repeat(5_000));'],
  ['a replacement that grows', 'let s = "x"; for (;;) s = s.replace(/x/g, "xxxx");'],
  ['texts that are repeated', 'const a = []; for (;;) a.push("y".repeat(1e6) + a.length);'],
  ['padding', 'return "x".padEnd(2 ** 30 - 2, "y").length;'],
  ['a text of a long list', 'return new Array(2 ** 28).join("long");'],
  ['a long list', 'return new Array(2 ** 32 - 1).fill(0);'],
  ['sorting without an order', 'return Array.from({ length: 1e6 }, (_, n) => n).sort(() => { for (;;); });'],
  ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1));'],
  ['one big buffer', 'return new ArrayBuffer(2 ** 31).byteLength;'],
  ['objects', 'const a = []; for (;;) a.push({ a: [a.length] });'],
  ['functions', 'const a = []; for (;;) a.push(Function("return " + a.length));'],
  ['big numbers', 'let n = 3n; for (;;) n *= n;'],
  ['recursion', 'const f = () => f() + f(); return f();'],
  ['recursion by toString', 'const o = { toString() { return `${o}`; } }; return String(o);'],
  ['recursion by a proxy', 'let p = {}; for (let n = 0; n < 1e5; n += 1) p = new Proxy(p, {}); return p.a;'],
  ['recursion by toJSON', 'const o = { toJSON() { return [o]; } }; return o;'],
  ['deep JSON', 'return JSON.parse("[".repeat(1e6) + "]".repeat(1e6));'],
  ['a deep value', 'let a = 1; for (let n = 0; n < 1e5; n += 1) a = [a]; return a;'],
  ['deep brackets', 'return Function("(".repeat(1e5) + ")".repeat(1e5));'],
  ['a deep regular expression', 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("a");'],
  ['an endless iterator', 'return [...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }];'],
  ['a getter of the result', 'return { get a() { for (;;); } };'],
  ['a proxy without an end of keys', 'return new Proxy({}, { ownKeys: () => { for (;;); } });'],
  ['an error that never ends to be told', 'throw { get message() { for (;;); } };'],
  ['a value that never ends to be compared', 'return [1, 2].includes({}) || [{ valueOf() { for (;;); } }].map(Number);'],
];
