import { spawn } from 'node:child_process';
import { parse } from 'node:path';
import type { Clock, Json } from '@hilo/engine/contract';
import { z } from 'zod';
import { fits } from '../http/response-body.ts';
import { createCallsUnderWay } from './calls-under-way.ts';
import type { Dialer } from '../dialer/dialer.ts';
import type { DeployedFunction, FunctionCall, FunctionResult } from './function-call.ts';
import { createFetches, FetchQuestion, UnfetchQuestion } from './function-fetches.ts';
import type { FunctionLimits } from './function-limits.ts';
import { ownProgram } from './own-program.ts';
import type { ProcessGuard } from './process-guard.ts';
import { readLines } from './read-lines.ts';
import { residentMb } from './resident-memory.ts';

/** A process in which one function runs. */
export interface FunctionProcess {
  /** Resolves once the module is loaded, or with why it never is: the process has then ended. */
  readonly started: Promise<{ readonly kind: 'ready' } | { readonly kind: 'failed'; readonly message: string }>;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  /** Calls that have no answer yet. */
  callsUnderWay(): number;
  isAlive(): boolean;
  /** Asks the function, once it is loaded. */
  call(call: FunctionCall): Promise<FunctionResult>;
  /** Ends it when its calls have ended, for which they have this long at most. */
  retire(drainMs: number): void;
  /** Ends it at once, with what is under way. */
  kill(): void;
}

type Stopped = Extract<FunctionResult, { readonly kind: 'stopped' }>;

interface ProcessParts {
  readonly limits: FunctionLimits;
  readonly clock: Clock;
  readonly guard: ProcessGuard;
  /** What the function's `fetch` goes through; without it, it reaches nobody. */
  readonly dialer: Pick<Dialer, 'request'> | undefined;
  /** Told of every line that the function writes. */
  readonly onLine: (line: string) => void;
}

const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('returned'), id: z.int(), value: z.custom<Json>((value) => value !== undefined) }),
  z.object({ type: z.literal('threw'), id: z.int(), message: z.string() }),
  FetchQuestion,
  UnfetchQuestion,
]);

const { file, flags } = ownProgram('function-runner', 'function-fetch');

/** Starts a process that has no environment, no files, no network, and no way to other processes. */
export function startFunctionProcess(deployed: DeployedFunction, { limits, clock, guard, dialer, onLine }: ProcessParts): FunctionProcess {
  const child = spawn(process.execPath, [...flags, `--max-old-space-size=${limits.heapMb}`, file], {
    env: {},
    cwd: parse(file).root,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const unwatch = child.pid === undefined ? undefined : guard.watch(child.pid);
  const starting = Promise.withResolvers<Awaited<FunctionProcess['started']>>();
  const ending = Promise.withResolvers<void>();
  let isAlive = true;
  let isRetired = false;
  let looking: unknown;
  let linesLeft = limits.logLines;

  const end = (why: Stopped): void => {
    if (!isAlive) return;
    isAlive = false;
    for (const timer of [startTimer, drainTimer, looking]) clock.clearTimeout(timer);
    child.kill('SIGKILL');
    fetches.giveUpAll();
    starting.resolve({ kind: 'failed', message: why.message });
    calls.settleAll(why);
  };
  const fetches = createFetches({
    dialer,
    scope: deployed.companyId,
    limits,
    answer: (answered, onTaken) => void child.stdin.write(`${JSON.stringify(answered)}\n`, onTaken),
  });
  const calls = createCallsUnderWay(clock, () => {
    if (isRetired) end(replaced);
  });
  let drainTimer: unknown;
  const startTimer = clock.setTimeout(
    () => end(stopped('timeout', `The function was not loaded within ${limits.startMs} ms`)),
    limits.startMs,
  );

  const take = (line: string): void => {
    const answer = answerIn(line);
    if (answer === undefined) return end(stopped('crash', 'The function wrote what is no answer'));
    switch (answer.type) {
      case 'ready':
        clock.clearTimeout(startTimer);
        return starting.resolve({ kind: 'ready' });
      case 'failed':
        return end(stopped('crash', answer.message));
      case 'returned':
        return calls.settle(
          answer.id,
          fits(answer.value, { depth: limits.answerDepth, keys: limits.answerKeys }) ? { kind: 'returned', value: answer.value } : tooMuch,
        );
      case 'threw':
        return calls.settle(answer.id, { kind: 'threw', message: answer.message });
      case 'fetch':
        return fetches.begin(answer) ? undefined : end(stopped('crash', 'The function asked for more calls than it may'));
      case 'unfetch':
        return fetches.giveUp(answer.id);
    }
  };
  const ask = (question: object): void => void child.stdin.write(`${JSON.stringify(question)}\n`);

  /** JavaScript's own heap is bounded in the process; all of its memory is looked at from here. */
  const look = async (): Promise<void> => {
    const heldMb = child.pid === undefined ? undefined : await residentMb(child.pid);
    if (heldMb !== undefined && heldMb > limits.residentMb)
      end(stopped('memory', `The function took more than ${limits.residentMb} MB of memory`));
    looking = isAlive && calls.size() > 0 ? clock.setTimeout(() => void look(), limits.lookMs) : undefined;
  };

  readLines(child.stdout, {
    maxBytes: limits.lineBytes,
    onLine: take,
    onExcess: () => end(stopped('crash', 'The function wrote more than an answer may have')),
  });
  readLines(child.stderr, {
    maxBytes: limits.lineBytes,
    onLine(line) {
      linesLeft -= 1;
      if (linesLeft >= 0) onLine(line.slice(0, limits.logLineChars));
    },
    onExcess: () => end(stopped('crash', 'The function wrote a line without an end')),
  });
  child.stdin.on('error', () => undefined); // the process has ended, which is told below
  child.on('error', (error) => {
    end(stopped('crash', `The process of the function could not be started: ${error.message}`));
    ending.resolve();
  });
  child.on('close', (code, signal) => {
    unwatch?.();
    end(stopped('crash', `The process of the function ended by itself (${signal ?? code ?? 'unknown'})`));
    ending.resolve();
  });
  ask({ type: 'start', source: deployed.source, fetches: { mostAtOnce: limits.fetches, maxBytes: limits.fetchBytes } });

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
      looking ??= clock.setTimeout(() => void look(), limits.lookMs);
      return calls.add(call, timeoutMs, async (id) => {
        await starting.promise;
        if (!isAlive || !calls.has(id)) return false; // whose time was over before it began is not called any more
        ask({ type: 'call', id, body, context: { functionId: deployed.functionId, idempotencyKey, tool } });
        return true;
      });
    },
  };
}

const stopped = (reason: Stopped['reason'], message: string): Stopped => ({ kind: 'stopped', reason, message });

const replaced = stopped('crash', 'The function was ended or deployed again before it answered');

const tooMuch = { kind: 'threw', message: 'The function returned a value that is too deep, or has too many keys' } as const;

/** What a line says; `undefined` for one that no honest process writes. */
function answerIn(line: string): z.output<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
