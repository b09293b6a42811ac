// Runs JavaScript of a canvas in a machine of its own, which has no I/O, within limits of time, memory and result.
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { realmProgram } from './realm.ts';
import { workedMs } from './worked-ms.ts';

/** A run of a sandbox. */
export interface SandboxRun {
  readonly source: string;
  /** As JSON. */
  readonly input: string;
  readonly nowMs: number;
  readonly seed: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** The limits of every run, anywhere. */
export const sandboxLimits = {
  /** What code may nest, in bytes of the sandbox's stack: from 256 kB on, deep recursion overflows the stack of the host. */
  stackBytes: 128 * 1024,
  /** A result as UTF-8 JSON: the limit of a stored value (64 KiB), minus its wrapping. */
  resultBytes: 63 * 1024,
} as const;

/** How a sandbox is loaded. */
export interface SandboxOptions {
  /** The WebAssembly of QuickJS, compiled once for all runs. Without it, QuickJS loads its own file for every run. */
  readonly bytes?: Uint8Array;
}

/** The result as JSON, or why there is none. */
export type SandboxAnswer =
  | { readonly kind: 'returned'; readonly text: string }
  | {
      readonly kind: 'failed';
      readonly reason: 'broken' | 'timeout' | 'memory' | 'result';
      readonly message: string;
      readonly line?: number;
    };

type Failure = Extract<SandboxAnswer, { readonly kind: 'failed' }>;

const bytesPerMb = 1024 * 1024;
const pagesPerMb = 16;
/** What the machine itself begins with: 16 MB. */
const ownPages = 256;
const file = 'code.js';
const undescribed = 'The code threw what cannot be shown';
const outOfMemory = 'InternalError: out of memory';

/** What Node.js and browsers have; this package is compiled without the types of either. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => { readonly buffer: ArrayBuffer };
};
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Creates a sandbox that needs only WebAssembly. The returned function throws when a run breaks its instance. */
export function createSandbox({ bytes }: SandboxOptions = {}): (run: SandboxRun) => Promise<SandboxAnswer> {
  const machineParts = bytes === undefined ? {} : { wasmModule: new WebAssembly.Module(bytes) };
  let variant: Promise<QuickJSSyncVariant> | undefined;
  return async (run) => runIn(await (variant ??= loadVariant()), machineParts, run);
}

/** QuickJS is loaded with the first run. Loaded as CommonJS, the variant is the default of the default. */
async function loadVariant(): Promise<QuickJSSyncVariant> {
  const { default: loaded } = await import('@jitl/quickjs-ng-wasmfile-release-sync');
  return 'default' in loaded ? loaded.default : loaded;
}

/**
 * Runs code in an instance of its own: a whole WebAssembly instance with its memory, so that nothing of a run is left for the next one,
 * however it ended.
 */
async function runIn(variant: QuickJSSyncVariant, machineParts: { readonly wasmModule?: object }, run: SandboxRun): Promise<SandboxAnswer> {
  // The limit that the runtime counts, and behind it the end of all memory there is.
  const wasmMemory = new WebAssembly.Memory({ initial: ownPages, maximum: ownPages + run.memoryMb * pagesPerMb });
  // `never`: how QuickJS names the type of a memory depends on the platform's types.
  const machine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { ...machineParts, wasmMemory: wasmMemory as never }));
  const runtime = machine.newRuntime({ memoryLimitBytes: run.memoryMb * bytesPerMb, maxStackSizeBytes: sandboxLimits.stackBytes });
  const context = runtime.newContext();
  const [parse, write, describe] = prepare(context, run);

  // Counted in work, so that a busy machine fails no code; the parent process counts the time as it passes.
  const beganMs = workedMs();
  let isOver = false;
  runtime.setInterruptHandler(() => (isOver ||= workedMs() - beganMs > run.timeoutMs));
  const timeout = { kind: 'failed', reason: 'timeout', message: `The code did not end within ${run.timeoutMs} ms` } as const;

  const explained = (error: QuickJSHandle): Failure => {
    if (isOver) return timeout;
    const failure = describeFailure(context, describe, error, run.source);
    // When there is no memory for an Error, null is thrown, or a value that cannot be described.
    const isFull = wasmMemory.buffer.byteLength > run.memoryMb * bytesPerMb;
    if (failure.message !== outOfMemory && !(isFull && (failure.message === 'null' || failure.message === undescribed))) return failure;
    return { kind: 'failed', reason: 'memory', message: `The code needed more than ${run.memoryMb} MB of memory` };
  };
  const call = (callee: QuickJSHandle, argument: QuickJSHandle) => context.callFunction(callee, context.undefined, argument);

  const input = call(parse, context.newString(run.input));
  if (input.error !== undefined) return explained(input.error);
  const compiled = context.evalCode(`(function (input) { 'use strict'; ${run.source}\n})`, file, { type: 'global' });
  if (compiled.error !== undefined) return explained(compiled.error);
  const returned = call(compiled.value, input.value);
  if (returned.error !== undefined) return explained(returned.error);
  const kind = context.typeof(returned.value);
  if (kind === 'undefined') return { kind: 'returned', text: 'null' };
  if (kind === 'function' || kind === 'symbol' || isPromise(context, returned.value))
    return resultFailure(`The code returned a ${kind === 'object' ? 'promise, and nothing is awaited here' : kind}: return JSON`);
  const written = call(write, returned.value);
  if (written.error !== undefined) {
    const failure = explained(written.error);
    return failure.reason === 'broken' ? { ...failure, reason: 'result' } : failure;
  }
  const text = readText(context, written.value, sandboxLimits.resultBytes);
  if (isOver) return timeout;
  if (text === undefined) return resultFailure(`The code returned no JSON, or more than ${sandboxLimits.resultBytes} bytes of it`);
  return { kind: 'returned', text };
}

/** Prepares the realm: whatever the code changes in it afterwards, the three functions stay unchanged. */
function prepare(context: QuickJSContext, { nowMs, seed }: SandboxRun): readonly [QuickJSHandle, QuickJSHandle, QuickJSHandle] {
  const program = context.unwrapResult(context.evalCode(realmProgram, 'realm.js', { type: 'global' }));
  const parts = context.unwrapResult(context.callFunction(program, context.undefined, context.newNumber(nowMs), context.newNumber(seed)));
  return [context.getProp(parts, 0), context.getProp(parts, 1), context.getProp(parts, 2)];
}

const resultFailure = (message: string): SandboxAnswer => ({ kind: 'failed', reason: 'result', message });

/** The class that an object has by birth decides: the code cannot pretend it. */
const isPromise = (context: QuickJSContext, value: QuickJSHandle): boolean => {
  if (context.typeof(value) !== 'object') return false;
  const state = context.getPromiseState(value);
  return !(state.type === 'fulfilled' && state.notAPromise === true);
};

/** A text of the sandbox, measured before it is copied; `undefined` when it is no text, or too long. */
function readText(context: QuickJSContext, handle: QuickJSHandle, maxBytes: number): string | undefined {
  if (context.typeof(handle) !== 'string') return undefined;
  if (context.getNumber(context.getProp(handle, 'length')) > maxBytes) return undefined;
  const text = context.getString(handle);
  return new TextEncoder().encode(text).length > maxBytes ? undefined : text;
}

const longestMessage = 1_000;

/** The message of a thrown value. The code may throw an object whose every access runs more code: then there is none. */
function describeFailure(context: QuickJSContext, describe: QuickJSHandle, error: QuickJSHandle, source: string): Failure {
  const described = context.callFunction(describe, context.undefined, error);
  const text = described.error === undefined ? readText(context, described.value, 100_000) : undefined;
  if (text === undefined || text === '') return { kind: 'failed', reason: 'broken', message: undescribed };
  const [message = '', stack = ''] = JSON.parse(text) as readonly string[];
  const line = Number(new RegExp(`${file}:([0-9]{1,6})`).exec(stack)?.[1] ?? 0);
  const isLine = line > 0 && line <= source.split('\n').length + 1; // the code may write anything into its stack
  return { kind: 'failed', reason: 'broken', message: message.slice(0, longestMessage), ...(isLine && { line }) };
}
