import type { z } from 'zod';
import type { Json } from './json.ts';

/** What a node asks of the world: plain data that outlives the process. `Result` is what the answer will be. */
export interface EffectRequest<Result = unknown> {
  readonly type: string;
  readonly request: Json;
  /** Never present; carries the type of the answer to the driver and back. */
  readonly result?: Result;
}

/** A kind of effect: call it to ask for one. */
export interface EffectDefinition<Type extends string = string, Input = unknown, Request = unknown, Result = unknown> {
  (input: Input): EffectRequest<Result>;
  readonly type: Type;
  readonly request: z.ZodType<Request, Input>;
  readonly result: z.ZodType<Result>;
}

/**
 * Names a need, with the shape of the question and of its answers.
 *
 * @example
 * const httpRequest = defineEffect('http.request', { request: z.strictObject({ url: z.string() }), result: Answer });
 */
export function defineEffect<Type extends string, Input, Request, Result>(
  type: Type,
  shapes: { readonly request: z.ZodType<Request, Input>; readonly result: z.ZodType<Result> },
): EffectDefinition<Type, Input, Request, Result> {
  const ask = (input: Input): EffectRequest<Result> => ({ type, request: shapes.request.parse(input) as Json });
  return Object.assign(ask, { type, ...shapes });
}
