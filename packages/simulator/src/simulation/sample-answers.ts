import { isJsonObject, type Json } from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import { scriptedEffects, shortenAnswer } from './scripted-effects.ts';

/**
 * An answer for every effect that a simulation asks for, for tests that do not depend on it: the first of its `samples`. A model follows
 * the schema, a database has every row and stores none, a function and a service return their input, a checkout opens. The endpoints of
 * `http.request` are not answered for.
 *
 * @example
 * const conversation = await simulate({ canvases: [canvas], answers: sampleAnswer });
 */
export function sampleAnswer({ effect, request }: { readonly effect: string; readonly request: Json }): Json | undefined {
  const scripted = scriptedEffects.find((one) => one.effect.type === effect);
  if (scripted === undefined || effect === httpRequest.type) return undefined;
  const body = isJsonObject(request) ? request['body'] : undefined;
  const [first] = scripted.effect.samples(request, { values: [body === undefined ? {} : { echo: body }], text: 'It fails' });
  return isJsonObject(first as Json) ? shortenAnswer(scripted, first as Json) : (first as Json | undefined);
}
