import type { EffectDefinition } from './effect.ts';
import type { Contact, Origin } from './execution.ts';
import type { Json } from './json.ts';

/** What a driver gets beside the request of the effect. */
export interface DriverContext {
  /** The same for every attempt of this effect, in any process (P4). */
  readonly idempotencyKey: string;
  /** The execution that asks for the effect. */
  readonly executionId: string;
  /** The execution that called this one; `undefined` where none did. */
  readonly parentId?: string | undefined;
  /** The node of its canvas that does. */
  readonly nodeId: string;
  /** 1 for the first try of the node; counts its configured retries. */
  readonly attempt: number;
  /** The company, the bot and the user on whose behalf it is performed. */
  readonly origin: Origin;
  /** The user of the execution; `undefined` where it has none. */
  readonly userId?: string | undefined;
  /** The user as the store knows them now; `undefined` without a user. */
  readonly contact: Contact | undefined;
  /** The instant of the attempt, by the clock of the engine, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Aborted when the effect's time is over: let go of what you hold. */
  readonly signal: AbortSignal;
  /**
   * Tells how far the effect is, such as what a model has written so far: the engine emits it as `effect.progressed`. It is stored nowhere,
   * and comes to nothing once the effect is over.
   */
  readonly progress?: (value: Json) => void;
}

/** The platform's own, which `fetch` takes. */
export type AbortSignal = globalThis.AbortSignal;

type RequestOf<Effect> = Effect extends EffectDefinition<string, infer Request, infer _Result> ? Request : never;
type ResultOf<Effect> = Effect extends EffectDefinition<string, infer _Request, infer Result> ? Result : never;

/** Performs one kind of effect. An error that it throws, or an invalid result, becomes the node's `error`. */
export type Driver<Effect> = (request: RequestOf<Effect>, context: DriverContext) => ResultOf<Effect> | Promise<ResultOf<Effect>>;

/** A driver with the effect it performs; an engine takes a list of these. */
export interface BoundDriver {
  readonly effect: EffectDefinition;
  readonly perform: (request: never, context: DriverContext) => unknown;
  /** The result, when it is known before the effect is performed: see {@link driveDetached}. */
  readonly answer?: Json;
}

/** Pairs an effect with the driver that performs it. */
export const drive = <Type extends string, Request, const Result>(
  effect: EffectDefinition<Type, Request, Result>,
  perform: (request: Request, context: DriverContext) => Result | Promise<Result>,
): BoundDriver => ({ effect: effect as unknown as EffectDefinition, perform });

/**
 * Pairs an effect that only notifies, and whose result is known beforehand, with its driver. The execution continues in the same commit,
 * and the effect is performed after it, without its `contact`. It is performed at most once: a process that dies in between does not
 * perform it.
 */
export const driveDetached = <Type extends string, Request, const Result extends Json>(
  effect: EffectDefinition<Type, Request, Result>,
  answer: Result,
  perform: (request: Request, context: DriverContext) => void | Promise<void>,
): BoundDriver => ({
  ...drive(effect, async (request, context) => {
    await perform(request, context);
    return answer;
  }),
  answer,
});
