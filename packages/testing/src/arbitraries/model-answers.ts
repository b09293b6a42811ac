/** What a model may answer to an agent, in any order: for conversations that are longer than those `exploreAgent` can try whole. */
import type { JsonObject } from '@hilo/engine/contract';
import { agentConfigOf, type ModelAnswer, modelAlphabet } from '@hilo/simulator';
import fc from 'fast-check';

/** The most answers that are drawn at a time, when nothing else is said. */
const usualLength = 60;

/**
 * Answers of the model of an agent, one after the other: texts, refusals, failures, its tools and exits with right and wrong inputs, tools
 * that are not there. A shorter list of simpler answers is a simpler one.
 *
 * @throws {RangeError} when the canvas has no agent of this id
 */
export const modelAnswers = (
  canvas: JsonObject,
  agent: string,
  { maxLength = usualLength }: { readonly maxLength?: number } = {},
): fc.Arbitrary<ModelAnswer[]> => fc.array(fc.constantFrom(...modelAlphabet(agentConfigOf(canvas, agent))), { maxLength, size: 'max' });
