import { brokenCanvas } from './broken-canvases.ts';
import { brokenMessage } from './broken-messages.ts';
import { canvas, canvasFamily } from './canvases.ts';
import { eventScript, patientScript, scriptInput } from './event-scripts.ts';
import { move } from './execution-events.ts';
import { anyNumber, anyText, jsonObject, jsonValue, readablePath, variableName, variables, writablePath } from './json-values.ts';
import { message, messageOf } from './messages.ts';
import { nodeConfigs } from './node-configs.ts';
import { brokenUserId, bsuid, phoneUserId, userIdOf } from './user-ids.ts';

/**
 * Random values for properties of your own, all of which shrink to the smallest that still fails.
 *
 * @example
 * fc.assert(fc.asyncProperty(arbitraries.eventScript, async (script) => { … }));
 */
export const arbitraries = {
  /** Valid canvases, alone and with those they call; canvases with one thing wrong. */
  canvas,
  canvasFamily,
  brokenCanvas,
  /** Valid configs, by type of node. */
  nodeConfigs,
  /** What can happen to a canvas from outside; without a cancel: `patientScript`. */
  scriptInput,
  eventScript,
  patientScript,
  /** What can happen to one execution as actor logic: see `eventOf`. */
  move,
  /** Messages that are sent, by type, and those that must be refused. */
  message,
  messageOf,
  brokenMessage,
  phoneUserId,
  bsuid,
  userIdOf,
  brokenUserId,
  /** Values and places of variables. */
  anyText,
  anyNumber,
  jsonValue,
  jsonObject,
  variables,
  variableName,
  writablePath,
  readablePath,
};
