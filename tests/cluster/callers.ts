// Those who call a simulated cluster from outside, and repeat what was not answered.
import type { Engine } from '@hilo/engine';
import { HiloError, isHiloError } from '@hilo/engine/contract';
import type { ClusterProcesses } from './cluster-processes.ts';
import type { Dice } from './dice.ts';
import type { Answer, EngineFault } from './evidence.ts';
import type { Faults } from './faults.ts';
import type { SimulatedProcess } from './process.ts';
import type { RareState } from './rare-states.ts';
import type { Scheduler } from './scheduler.ts';

/** A request from outside the cluster. */
export interface Request {
  readonly verb: Answer['verb'];
  /** The delivery id or idempotency key, which identifies a repetition. */
  readonly key: string;
  /** Whether it is repeated until it is answered; a request without a key of its own is not. */
  readonly isRepeated: boolean;
  act(engine: Engine): Promise<Pick<Answer, 'executionId' | 'isIgnored'>>;
}

/** Callers of the cluster: each calls some process, and retries when it does not answer. */
export interface Callers {
  send(request: Request): void;
  /** The keys of requests that have no answer yet. */
  unanswered(): readonly string[];
}

export interface CallersOptions {
  readonly scheduler: Scheduler;
  readonly processes: ClusterProcesses;
  readonly faults: Faults;
  readonly dice: Dice;
  readonly onAnswer: (answer: Answer) => void;
  readonly onFault: (fault: EngineFault) => void;
  readonly onRare: (state: RareState) => void;
}

/** How long a caller waits for an answer, and between two tries. */
const patienceMs = 30_000;
const pauseMs = 1_000;
/** The longest that a delivery is on its way when they overtake each other. */
const slowestMs = 30_000;

export function createCallers({ scheduler, processes, faults, dice, onAnswer, onFault, onRare }: CallersOptions): Callers {
  /** What callers wait for, by the process that is to answer: each is called when it never will. */
  const waiting = new Map<string, Set<() => void>>();
  /** Requests that have no answer yet. */
  const open = new Set<Request>();

  processes.onDeath((name) => {
    const lost = waiting.get(name) ?? new Set();
    waiting.delete(name);
    for (const callOff of lost) callOff();
  });

  const later = (request: Request): void => {
    if (request.isRepeated) scheduler.add('callers', `again ${request.key}`, () => ask(request), pauseMs);
    else open.delete(request);
  };

  const ask = (request: Request): void => {
    if (!open.has(request)) return;
    const serving = processes.serving();
    if (serving.length === 0) return later(request);
    const process = dice.pick(serving);
    const delayMs = faults.strikes('reorder') ? faults.dice('reorder').below(slowestMs) : 0;
    attempt(request, process, delayMs);
  };

  const attempt = (request: Request, process: SimulatedProcess, delayMs: number): void => {
    const { verb, key, act } = request;
    let isOver = false;
    let hasConsequence = false;
    const over = (isAnswered: boolean): void => {
      if (isOver) return;
      isOver = true;
      takeBack();
      waiting.get(process.name)?.delete(callOff);
      if (isAnswered) open.delete(request);
      else {
        if (hasConsequence && verb === 'start') onRare('answer to a committed start lost');
        if (open.has(request)) later(request);
      }
    };
    const callOff = (): void => over(false);
    const takeBack = scheduler.add('callers', `gives up ${key}`, callOff, delayMs + patienceMs);
    const others = waiting.get(process.name) ?? new Set();
    waiting.set(process.name, others.add(callOff));

    const answered = (answer: Omit<Answer, 'atMs' | 'verb' | 'key'>): void => {
      hasConsequence = answer.refusal === undefined;
      onAnswer({ atMs: scheduler.now(), verb, key, ...answer });
      process.gate.add(`answer ${key}`, () => over(true));
    };
    const failed = (error: unknown): void => {
      if (isHiloError(error, 'STORE_UNAVAILABLE') || isHiloError(error, 'STORE_CONFLICT')) process.gate.add(`refuse ${key}`, callOff);
      else {
        const refusal = codeOf(error);
        if (refusal === undefined) onFault({ process: process.name, error, while: `${verb} ${key}` });
        answered({ refusal: refusal ?? 'a fault' });
      }
    };
    process.gate.add(`${verb} ${key}`, () => void act(process.engine).then(answered, failed), delayMs);
  };

  return {
    send(request) {
      open.add(request);
      ask(request);
      if (request.isRepeated && faults.strikes('duplicate')) {
        onRare('delivery twice at once');
        ask(request);
      }
    },
    unanswered: () => [...open].map(({ key }) => key),
  };
}

const codeOf = (error: unknown): string | undefined => (error instanceof HiloError ? (error as HiloError).code : undefined);
