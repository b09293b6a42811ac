// Random ids of users, valid and broken.
import type { Channel } from '@hilo/engine/contract';
import type { UserIdFormat } from '@hilo/nodes';
import fc from 'fast-check';
import { brokenCanvas } from './broken-canvases.ts';
import { brokenMessage } from './broken-messages.ts';
import { canvas, canvasFamily } from './canvases.ts';
import { eventScript, patientScript, scriptInput, scriptOf } from './event-scripts.ts';
import { move } from './execution-events.ts';
import { anyNumber, anyText, jsonObject, jsonValue, readablePath, variableName, variables, writablePath } from './json-values.ts';
import { message, messageOf } from './messages.ts';
import { modelAnswers } from './model-answers.ts';
import { nodeConfigs } from './node-configs.ts';

/** A phone number as a user id: 2 to 15 digits (UID-01). */
export const phoneUserId: fc.Arbitrary<string> = fc.stringMatching(/^[1-9][0-9]{1,14}$/);

/** A business-scoped id (UID-02). */
export const bsuid: fc.Arbitrary<string> = fc.stringMatching(/^[A-Z]{2}\.[A-Za-z0-9]{1,40}$/);

/** An id of a channel without phone numbers (UID-05). */
const otherUserId: fc.Arbitrary<string> = fc.stringMatching(/^[A-Za-z0-9_.:@-]{1,128}$/);

/** Ids that a bot accepts. */
export const userIdOf = (channel: Channel, format: UserIdFormat): fc.Arbitrary<string> =>
  channel === 'whatsapp' || format === 'strict' ? fc.oneof(phoneUserId, bsuid) : fc.oneof(phoneUserId, bsuid, otherUserId);

/** A user id that no bot with the strict format accepts, with the reason (UID-03). */
export interface BrokenUserId {
  readonly userId: unknown;
  readonly why: string;
}

const broken = (why: string, userId: fc.Arbitrary<unknown>): fc.Arbitrary<BrokenUserId> => userId.map((userId) => ({ userId, why }));

export const brokenUserId: fc.Arbitrary<BrokenUserId> = fc.oneof(
  broken(
    'a "+" in front',
    phoneUserId.map((phone) => `+${phone}`),
  ),
  broken(
    'a zero in front',
    phoneUserId.map((phone) => `0${phone.slice(1)}`),
  ),
  broken('one digit', fc.stringMatching(/^[0-9]$/)),
  broken('more than 15 digits', fc.stringMatching(/^[1-9][0-9]{15,30}$/)),
  broken('blanks or hyphens', fc.stringMatching(/^[1-9][0-9]{1,3}[ -][0-9]{1,8}$/)),
  broken(
    'small letters before the dot',
    bsuid.map((id) => id.slice(0, 2).toLowerCase() + id.slice(2)),
  ),
  broken('one letter or three before the dot', fc.stringMatching(/^([A-Z]|[A-Z]{3})\.[A-Za-z0-9]{1,20}$/)),
  broken('nothing after the dot', fc.stringMatching(/^[A-Z]{2}\.$/)),
  broken('a third part', fc.stringMatching(/^[A-Z]{2}\.[A-Z]{1,5}\.[0-9]{1,20}$/)),
  broken(
    'a line break at the end',
    fc.oneof(phoneUserId, bsuid).map((id) => `${id}\n`),
  ),
  broken('digits of another script', fc.stringMatching(/^[١-٩]{5,12}$/)),
  broken('empty', fc.constant('')),
  broken('no text', fc.oneof(fc.nat(), fc.boolean(), fc.constant(null), fc.array(phoneUserId, { maxLength: 2 }), fc.constant({}))),
);

/**
 * Random values for properties of your own, all of which shrink to the smallest that still fails.
 *
 * @example
 * await fc.assert(
 *   fc.asyncProperty(arbitraries.scriptOf(canvas), async (script) => {
 *     const conversation = await simulate({ canvases: [canvas], answers: sampleAnswer });
 *     for (const input of script) await conversation.plays(input);
 *     return conversation.faults.length === 0;
 *   }),
 * );
 */
export const arbitraries = {
  /** Valid canvases, alone and with those they call; canvases with one thing wrong. */
  canvas,
  canvasFamily,
  brokenCanvas,
  /** Valid configs, by type of node. */
  nodeConfigs,
  /** One thing that can happen to a canvas from outside, for `conversation.plays`. */
  scriptInput,
  /** Several of them, in order. */
  eventScript,
  /** The same without a cancel. */
  patientScript,
  /** Scripts in the words of one canvas: its keywords, options, dates and bodies. */
  scriptOf,
  /** What a model may answer to an agent of a canvas, one after the other: see `followAnswers`. */
  modelAnswers,
  /** What can happen to one execution as actor logic: see `eventOf`. */
  move,
  /** A valid message of any type. */
  message,
  /** Valid messages of each type, by its name. */
  messageOf,
  /** A message that must be refused, with the reason. */
  brokenMessage,
  phoneUserId,
  bsuid,
  userIdOf,
  brokenUserId,
  /** Texts and numbers, the unusual ones among them: empty, of other scripts, at the limits. */
  anyText,
  anyNumber,
  /** JSON within the limits of a variable. */
  jsonValue,
  jsonObject,
  /** Scopes with values, as `visit` takes them. */
  variables,
  /** Names of variables, and paths to them that a node may write or read. */
  variableName,
  writablePath,
  readablePath,
};
