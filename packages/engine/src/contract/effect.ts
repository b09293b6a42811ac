import type { z } from 'zod';
import type { Json } from './json.ts';
import { requireSchema } from './refuse-schema.ts';

/** A request of a node to the outside world: plain data that outlives the process. `Result` is the type of the answer. */
export interface EffectRequest<Result = unknown> {
  /** The name of the effect, such as `http.request`: its driver is found by it. */
  readonly type: string;
  /** The request, as the effect's schema has it. */
  readonly request: Json;
  /** Never present; carries the type of the answer to the driver and back. */
  readonly result?: Result;
}

/** What samples of answers are to have in them, so that a canvas takes each of its ways with one of them. */
export interface WantedAnswers {
  /** For what an answer is free to have: a body, a row, what a function returns. The first one is harmless. */
  readonly values: readonly Json[];
  /** For reasons and messages. */
  readonly text: string;
}

/** A kind of effect: call it to ask for one. */
export interface EffectDefinition<Type extends string = string, Request = unknown, Result = unknown> {
  (request: Request): EffectRequest<Result>;
  /** The name of the effect. */
  readonly type: Type;
  /** The schema of its requests. */
  readonly request: z.ZodType<Request>;
  /** The schema of its results: what a driver returns otherwise is refused. */
  readonly result: z.ZodType<Result>;
  /**
   * Results that a driver may give to a request: one of every kind at least, the good one first. None, where the definition has none:
   * then a search for conversations makes some of the schema.
   */
  samples(request: Request, wanted: WantedAnswers): readonly Result[];
}

/** The parts of a kind of effect. */
export interface EffectParts<Request, Result> {
  /** The schema of its requests. */
  readonly request: z.ZodType<Request>;
  /** The schema of its results: what a driver returns otherwise is refused. */
  readonly result: z.ZodType<Result>;
  /** Results that a driver may give to a request, the good one first; pure. `hilo cover` and dialogues of problems try each. */
  samples?(request: Request, wanted: WantedAnswers): readonly NoInfer<Result>[];
}

/**
 * Names a need, with the shape of the question and of its answers.
 *
 * @example
 * const httpRequest = defineEffect('http.request', { request: z.strictObject({ url: z.string() }), result: z.json() });
 *
 * @throws {TypeError} for a name that is none or the engine's own, and a shape that is no schema of zod 4, such as one of zod 3
 */
export function defineEffect<Type extends string, Request, Result>(
  type: Type,
  { request, result, samples = () => [] }: EffectParts<Request, Result>,
): EffectDefinition<Type, Request, Result> {
  if (typeof type !== 'string' || !/^[^\s"]{1,100}$/u.test(type) || isOfTheEngine(type))
    throw new TypeError(`The name of an effect is ${JSON.stringify(type)}: give one of your own without blanks, such as "leads.score"`);
  requireSchema(`The "request" of the effect "${type}"`, request);
  requireSchema(`The "result" of the effect "${type}"`, result);
  // The types hold the node to the shape; parsing every request again would cost more than the visit.
  const ask = (asked: Request): EffectRequest<Result> => ({ type, request: asked as Json });
  return Object.assign(ask, { type, request, result, samples });
}

/** Whether the engine answers an effect itself, so that no driver performs it: waits, jumps and sent events. */
export const isOfTheEngine = (effect: string): boolean => effect.startsWith('wait.') || effect === 'flow.jump' || effect === 'event.send';
