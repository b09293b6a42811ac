// The process of one deployed function.
import { type ChildProcess, spawn } from 'node:child_process';
import { parse } from 'node:path';
import { fits, type Clock, type Json, type ValueBounds } from '@hilo/engine/contract';
import { z } from 'zod';
import { mayFit } from '../http/json-bounds.ts';
import { createCallsUnderWay, type DeployedFunction, type FunctionCall, type FunctionResult } from './function-call.ts';
import type { Dialer } from '../dialer/dialer.ts';
import { createFetches, FetchQuestion, UnfetchQuestion } from './function-fetches.ts';
import type { FunctionLimits } from './function-limits.ts';
import { lowerPriority, readLines, resume, suspend, readUsage } from '../processes/child-process.ts';
import { ownProgram, type ProcessGuard } from '../processes/process-guard.ts';

/**
 * A process that runs one function. It is suspended without calls: anything that a function began and did not await continues with the
 * next call, and uses neither processor nor memory until then (P20, P22).
 */
export interface FunctionProcess {
  /** Resolves once the module is loaded, or with why it never is: the process has then ended. */
  readonly started: Promise<{ readonly kind: 'ready' } | { readonly kind: 'failed'; readonly message: string }>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Calls that have no answer yet. */
  callsUnderWay(): number;
  isAlive(): boolean;
  /** Asks the function, once it is loaded. */
  call(call: FunctionCall): Promise<FunctionResult>;
  /** Ends it when its calls have ended, for which they have this long at most. */
  retire(drainMs: number): void;
  /** Kills it at once, with its pending calls. */
  kill(): void;
}

type Stopped = Extract<FunctionResult, { readonly kind: 'stopped' }>;

interface ProcessParts {
  readonly limits: FunctionLimits;
  readonly clock: Clock;
  readonly guard: ProcessGuard;
  /** What the function's `fetch` goes through; without it, `fetch` rejects. */
  readonly dialer: Pick<Dialer, 'request'> | undefined;
  /** Called for every line that the function writes. */
  readonly onLine: (line: string) => void;
  /** Called whenever the last call that was under way has its answer. */
  readonly onIdle: () => void;
  /** Called when the process is killed for its use of memory. */
  readonly onMemory: (message: string) => void;
}

const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('returned'), id: z.int(), value: z.custom<Json>((value) => value !== undefined) }),
  z.object({ type: z.literal('threw'), id: z.int(), message: z.string() }),
  z.object({ type: z.literal('excess'), id: z.int() }),
  z.object({ type: z.literal('broke'), message: z.string() }),
  FetchQuestion,
  UnfetchQuestion,
]);

const { file, flags } = ownProgram('functions/function-runner', 'functions/function-fetch');

/**
 * Starts a process that has no environment, no files, no network, and no way to other processes. Its life is told in one function: whether
 * it works, rests, is paused or has ended decides what each line from it and each call to it may do.
 */
export function startFunctionProcess(deployed: DeployedFunction, parts: ProcessParts): FunctionProcess {
  const { limits, clock, guard, dialer, onLine, onIdle, onMemory } = parts;
  const child = spawn(process.execPath, [...flags, `--max-old-space-size=${limits.heapMb}`, file], {
    env: {},
    cwd: parse(file).root,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const unwatch = child.pid === undefined ? undefined : guard.watch(child.pid);
  lowerPriority(child, 'host');
  const starting = Promise.withResolvers<Awaited<FunctionProcess['started']>>();
  const ending = Promise.withResolvers<void>();
  let isAlive = true;
  let isReady = false;
  let isRetired = false;
  let linesLeft = limits.logLines;

  const end = (why: Stopped): void => {
    if (!isAlive) return;
    isAlive = false;
    for (const timer of [startTimer, drainTimer]) clock.clearTimeout(timer);
    watch.stop();
    child.kill('SIGKILL');
    fetches.giveUpAll();
    starting.resolve({ kind: 'failed', message: why.message });
    calls.settleAll(why);
  };
  const fetches = createFetches({
    dialer,
    scope: deployed.companyId,
    limits,
    mayLog: () => takeLine(),
    answer: (answered, onTaken) => void child.stdin.write(`${JSON.stringify(answered)}\n`, onTaken),
  });
  const calls = createCallsUnderWay(clock, () => {
    if (isRetired) end(replaced);
    else if (isReady) watch.rest();
    onIdle();
  });
  const watch = watchUsage(child, { limits, clock, isReady: () => isReady, end, onMemory });
  let drainTimer: unknown;
  const startTimer = clock.setTimeout(
    () => end(stop('timeout', `The function was not loaded within ${limits.startMs} ms`)),
    limits.startMs,
  );

  const take = (line: string): void => {
    const bounds = { depth: limits.answerDepth, keys: limits.answerKeys, parts: limits.answerParts };
    const answer = readAnswer(line, bounds);
    if (answer === undefined) return end(stop('crash', 'The function wrote an invalid answer'));
    switch (answer.type) {
      case 'ready':
        clock.clearTimeout(startTimer);
        isReady = true;
        if (calls.size() === 0) watch.rest();
        return starting.resolve({ kind: 'ready' });
      case 'failed':
        return end(stop('crash', answer.message));
      case 'returned':
        return calls.settle(answer.id, fits(answer.value, bounds) ? { kind: 'returned', value: answer.value } : tooMuch);
      case 'threw':
        return calls.settle(answer.id, { kind: 'threw', message: answer.message });
      case 'broke':
        return end(stop('crash', `The function failed where no call waits for it: ${answer.message}`));
      case 'excess':
        return calls.settle(answer.id, tooMuch);
      case 'fetch':
        return fetches.begin(answer) ? undefined : end(stop('crash', 'The function asked for more calls than it may'));
      case 'unfetch':
        return fetches.giveUp(answer.id);
    }
  };
  const ask = (question: object): void => void child.stdin.write(`${JSON.stringify(question)}\n`);

  /** @returns whether there is one more line that the function may write to the log, which is then written */
  const takeLine = (): boolean => {
    linesLeft -= 1;
    return linesLeft >= 0;
  };

  watch.begin();

  readLines(child.stdout, {
    maxBytes: limits.lineBytes,
    onLine: take,
    onExcess: () => end(stop('crash', 'The function wrote more than an answer may have')),
  });
  readLines(child.stderr, {
    maxBytes: limits.lineBytes,
    onLine(line) {
      if (takeLine()) onLine(line.slice(0, limits.logLineChars));
    },
    onExcess: () => end(stop('crash', 'The function wrote a line without an end')),
  });
  child.stdin.on('error', () => undefined); // the process has ended, which its exit event reports
  child.on('error', (error) => {
    end(stop('crash', `The process of the function could not be started: ${error.message}`));
    ending.resolve();
  });
  child.on('close', (code, signal) => {
    unwatch?.();
    end(stop('crash', `The process of the function ended by itself (${signal ?? code ?? 'unknown'})`));
    ending.resolve();
  });
  ask({ type: 'start', source: deployed.source, fetches: { maxAtOnce: limits.fetches, maxBytes: limits.fetchBytes } });

  return {
    started: starting.promise,
    ended: ending.promise,
    callsUnderWay: calls.size,
    isAlive: () => isAlive,
    kill: () => end(replaced),
    retire(drainMs) {
      isRetired = true;
      if (calls.size() === 0) end(replaced);
      else drainTimer = clock.setTimeout(() => end(replaced), drainMs);
    },
    call(call) {
      const { body, timeoutMs = limits.callMs, idempotencyKey, tool } = call;
      linesLeft = limits.logLines;
      watch.wake();
      return calls.add(call, timeoutMs, async (id) => {
        await starting.promise;
        if (!isAlive || !calls.has(id)) return false; // a call whose time was over before it began is not sent
        ask({ type: 'call', id, body, context: { functionId: deployed.functionId, idempotencyKey, tool } });
        return true;
      });
    },
  };
}

interface WatchParts extends Pick<ProcessParts, 'limits' | 'clock' | 'onMemory'> {
  readonly isReady: () => boolean;
  /** Ends the process. */
  readonly end: (why: Stopped) => void;
}

/** Suspends a process while it has no call, and looks at what it uses: JavaScript's own heap is bounded in the process, its other memory here. */
function watchUsage(child: ChildProcess, { limits, clock, isReady, end, onMemory }: WatchParts) {
  let isOver = false;
  let isStill = false;
  let timer: unknown;
  /** The CPU time when the process last began to work, and whether its priority was lowered since. */
  let [workedMs, isBehind] = [0, false];

  const look = async (): Promise<void> => {
    const usage = child.pid === undefined ? undefined : await readUsage(child.pid);
    if (isOver || usage === undefined) return;
    const maxMb = isStill ? limits.restingMb : limits.residentMb;
    if (usage.residentMb > maxMb) {
      const why = stop('memory', `The function took more than ${maxMb} MB of memory${isStill ? ', and kept it after its answer' : ''}`);
      onMemory(why.message);
      return end(why);
    }
    if (isStill || !isReady()) workedMs = usage.processorMs;
    else if (!isBehind && usage.processorMs - workedMs > limits.foregroundMs) {
      isBehind = true;
      lowerPriority(child, 'all');
    }
  };
  const lookAgain = (): void => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void look().then(() => !isOver && !isStill && lookAgain()), limits.lookMs);
  };

  return {
    begin: lookAgain,
    rest(): void {
      if (isOver || isStill) return;
      clock.clearTimeout(timer);
      isStill = suspend(child);
      if (!isStill) return end(replaced); // a system without that signal: the next call starts another
      void look();
    },
    wake(): void {
      if (!isStill) return;
      isStill = false;
      resume(child);
      lookAgain();
    },
    stop(): void {
      isOver = true;
      clock.clearTimeout(timer);
    },
  };
}

const stop = (reason: Stopped['reason'], message: string): Stopped => ({ kind: 'stopped', reason, message });

const replaced = stop('crash', 'The function was ended or deployed again before it answered');

const tooMuch = {
  kind: 'too-large',
  message: 'The function returned more than 1.2 MB, or a value that is too deep or has too many keys or items: let it return less',
} as const;

/** The content of a line; `undefined` for one that no honest process writes. One over the limits of a result is not parsed (P20). */
function readAnswer(line: string, { depth, keys, parts }: Required<ValueBounds>): z.output<typeof Answer> | undefined {
  if (!mayFit(line, { depth: depth + 1, keys: keys + keysAround, parts: parts + keysAround })) {
    const [, id] = /^\{"type":"returned","id":(\d{1,15}),"value":/.exec(line) ?? [];
    return id === undefined ? undefined : { type: 'excess', id: Number(id) };
  }
  try {
    return Answer.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The wrapping of a result in its line, or of a request: the headers of a call have 64 KB. */
const keysAround = 10_000;
