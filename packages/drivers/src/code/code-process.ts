// A process that runs the code of one company's canvases, one run at a time.
import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@hilo/engine/contract';
import type { SandboxRun } from '@hilo/sandbox';
import { z } from 'zod';
import { parseJson } from '../http/json-bounds.ts';
import type { Worker } from '../fair-workers.ts';
import { lowerPriority, readLines, readUsage, resume, suspend } from '../processes/child-process.ts';
import { ownProgram, type ProcessGuard } from '../processes/process-guard.ts';
import type { CodeLimits } from './code-limits.ts';
import type { runCode } from '@hilo/nodes/effects';

/** Code with all that a run of it depends on. */
export type CodeRun = z.output<typeof runCode.request>;

/** The result of a run. */
export type CodeResult = z.output<typeof runCode.result>;
export type CodeFailure = Extract<CodeResult, { readonly kind: 'failed' }>;

export const codeFailure = (reason: CodeFailure['reason'], message: string): CodeFailure => ({ kind: 'failed', reason, message });

/**
 * A process that runs the code of one company, one run at a time; it ends when a run does not answer within twice its time, unless the
 * machine was too busy to give it as much of a processor.
 */
export type CodeProcess = Worker<CodeRun, CodeResult>;

interface ProcessParts {
  readonly limits: CodeLimits;
  readonly clock: Clock;
  readonly guard: ProcessGuard;
}

const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('broke'), message: z.string() }),
  z.object({ kind: z.literal('returned'), text: z.string() }),
  z.object({
    kind: z.literal('failed'),
    reason: z.enum(['broken', 'timeout', 'memory', 'result']),
    message: z.string(),
    line: z.int().positive().exactOptional(),
  }),
]);

/** Starts a process without environment, network, other processes and threads; of files, it may read those of the sandbox. */
export function startCodeProcess({ limits, clock, guard }: ProcessParts): CodeProcess {
  const { file, flags } = ownProgram('code/code-runner');
  const child = spawn(
    process.execPath,
    [...flags, ...sandboxFlags, `--max-old-space-size=${limits.heapMb}`, file, JSON.stringify(sandboxFiles)],
    { env: { TZ: 'UTC' }, cwd: parse(file).root, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true },
  );
  lowerPriority(child, 'host');
  const unwatch = child.pid === undefined ? undefined : guard.watch(child.pid);
  const ready = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  let isAlive = true;
  let settle: ((result: CodeResult) => void) | undefined;
  let isPaused = false;
  const end = (why: CodeResult): void => {
    if (!isAlive) return;
    isAlive = false;
    clock.clearTimeout(startTimer);
    child.kill('SIGKILL');
    settle?.(why);
    ready.resolve();
  };
  const startTimer = clock.setTimeout(
    () => end(codeFailure('unavailable', `The process for code did not start within ${limits.startMs} ms`)),
    limits.startMs,
  );
  const time = limitRuns(child, {
    limits,
    clock,
    onExcess: () => end(codeFailure('timeout', 'The code did not end in its time, and was stopped')),
  });
  const take = (line: string): void => {
    const answer = readAnswer(line);
    if (answer === undefined) return end(codeFailure('broken', 'The process of the code returned an invalid answer'));
    switch (answer.kind) {
      case 'ready':
        clock.clearTimeout(startTimer);
        return ready.resolve();
      case 'broke':
        return end(codeFailure('broken', `The code broke its sandbox, which is no more: ${answer.message}`));
      case 'returned':
        return settle?.(parseValue(answer.text));
      case 'failed':
        return settle?.(answer);
    }
  };

  readLines(child.stdout, {
    maxBytes: limits.lineBytes,
    onLine: take,
    onExcess: () => end(codeFailure('broken', 'The process of the code wrote more than an answer may have')),
  });
  child.stdin.on('error', () => undefined); // the process has ended, which its exit event reports
  child.on('error', (error) => {
    end(codeFailure('unavailable', `The process for code could not be started: ${error.message}`));
    ending.resolve();
  });
  child.on('close', (code, signal) => {
    unwatch?.();
    end(codeFailure('broken', `The process of the code ended by itself (${signal ?? code ?? 'unknown'})`));
    ending.resolve();
  });

  return {
    ended: ending.promise,
    ready: ready.promise,
    isAlive: () => isAlive,
    pause() {
      isPaused = suspend(child);
      if (isPaused) time.pause();
      return isPaused;
    },
    resume() {
      isPaused = false;
      resume(child);
      time.resume();
    },
    kill: () => end(codeFailure('unavailable', 'The process of the code was ended before it answered')),
    async run({ input, ...run }) {
      const answered = Promise.withResolvers<CodeResult>();
      settle = answered.resolve;
      await ready.promise;
      time.begin(run.timeoutMs);
      const asked: SandboxRun = { ...run, input: JSON.stringify(input) };
      if (isAlive) child.stdin.write(`${JSON.stringify(asked)}\n`);
      const result = await answered.promise;
      time.end();
      settle = undefined;
      if (isPaused) resume(child); // its answer was on its way already
      isPaused = false;
      return result;
    },
  };
}

interface RunLimitParts extends Pick<ProcessParts, 'limits' | 'clock'> {
  /** A run has had its time. */
  readonly onExcess: () => void;
}

/** The time of runs, one after the other: twice what the code may take, since the sandbox ends the code itself, except inside of one step. */
function limitRuns(child: Pick<ChildProcess, 'pid'>, { limits, clock, onExcess }: RunLimitParts) {
  /** The run that is under way, and how much of its processor's time the process had used before. */
  let current: { readonly timeoutMs: number; readonly before: Promise<number | undefined>; busyMs: number } | undefined;
  let timer: unknown;
  let [leftMs, sinceMs] = [0, 0];
  let isPaused = false;

  const usedMs = async (): Promise<number | undefined> => (child.pid === undefined ? undefined : (await readUsage(child.pid))?.processorMs);
  const allow = (forMs: number): void => {
    [leftMs, sinceMs] = [forMs, clock.now()];
    timer = clock.setTimeout(() => void endUnlessStarved(), forMs);
  };
  /** A machine that was busy is no fault of the code: it has its time again then. */
  const endUnlessStarved = async (): Promise<void> => {
    const run = current;
    if (run === undefined) return;
    const [before, used] = await Promise.all([run.before, usedMs()]);
    if (run !== current) return; // it answered meanwhile
    const isStarved = before !== undefined && used !== undefined && used - before < run.timeoutMs;
    if (!isStarved || run.busyMs >= limits.busyMs) return onExcess();
    run.busyMs += run.timeoutMs;
    if (isPaused) leftMs = run.timeoutMs;
    else allow(run.timeoutMs);
  };

  return {
    begin(timeoutMs: number): void {
      current = { timeoutMs, before: usedMs(), busyMs: 0 };
      allow(2 * timeoutMs);
    },
    pause(): void {
      isPaused = true;
      clock.clearTimeout(timer);
      leftMs -= Math.max(0, clock.now() - sinceMs); // the clock may have been set back (P12)
    },
    resume(): void {
      isPaused = false;
      allow(Math.max(1, leftMs));
    },
    end(): void {
      clock.clearTimeout(timer);
      current = undefined;
      isPaused = false;
    },
  };
}

/** The modules of the sandbox, by the names under which they are loaded. */
const sandboxFiles: Readonly<Record<string, string>> = filesOfSandbox();
const sandboxFlags: readonly string[] = [...new Set(Object.values(sandboxFiles).map(dirname))].map(
  (folder) => `--allow-fs-read=${folder}/*`,
);

function filesOfSandbox(): Record<string, string> {
  // The process resolves no link itself: it would have to look at every folder on the way.
  const sandbox = realpathSync(fileURLToPath(import.meta.resolve('@hilo/sandbox')));
  const own = createRequire(sandbox);
  const core = 'quickjs-emscripten-core';
  const variant = '@jitl/quickjs-ng-wasmfile-release-sync';
  const types = '@jitl/quickjs-ffi-types';
  const names = [core, variant, `${variant}/emscripten-module`, `${variant}/wasm`];
  return {
    '@hilo/sandbox': sandbox,
    ...Object.fromEntries(names.map((name) => [name, own.resolve(name)])),
    [types]: createRequire(own.resolve(core)).resolve(types),
  };
}

function readAnswer(line: string): z.output<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function parseValue(text: string): CodeResult {
  const value = parseJson(text);
  if (value !== undefined) return { kind: 'returned', value };
  return codeFailure('result', 'The code returned a value that is too deep, or has too many keys');
}
