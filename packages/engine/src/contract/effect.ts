import type { z } from 'zod';
import type { Json } from './json.ts';
import { requireSchema } from './refuse-schema.ts';

/** A request of a node to the outside world: plain data that outlives the process. `Result` is the type of the answer. */
export interface EffectRequest<Result = unknown> {
  readonly type: string;
  readonly request: Json;
  /** Never present; carries the type of the answer to the driver and back. */
  readonly result?: Result;
}

/** A kind of effect: call it to ask for one. */
export interface EffectDefinition<Type extends string = string, Request = unknown, Result = unknown> {
  (request: Request): EffectRequest<Result>;
  readonly type: Type;
  readonly request: z.ZodType<Request>;
  readonly result: z.ZodType<Result>;
}

/**
 * Names a need, with the shape of the question and of its answers.
 *
 * @example
 * const httpRequest = defineEffect('http.request', { request: z.strictObject({ url: z.string() }), result: z.json() });
 *
 * @throws {TypeError} for a shape that is no schema of zod 4, such as one of zod 3
 */
export function defineEffect<Type extends string, Request, Result>(
  type: Type,
  shapes: { readonly request: z.ZodType<Request>; readonly result: z.ZodType<Result> },
): EffectDefinition<Type, Request, Result> {
  requireSchema(`The "request" of the effect "${type}"`, shapes.request);
  requireSchema(`The "result" of the effect "${type}"`, shapes.result);
  // The types hold the node to the shape; parsing every request again would cost more than the visit.
  const ask = (request: Request): EffectRequest<Result> => ({ type, request: request as Json });
  return Object.assign(ask, { type, ...shapes });
}
