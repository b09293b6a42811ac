// The entry of @hilo/nodes: the standard nodes, and what their messages are.
import type { NodeDefinition } from '@hilo/engine/contract';
import { agent } from './agent/index.ts';
import { aiTask } from './ai-task/index.ts';
import { api } from './api/index.ts';
import { ask } from './ask/index.ts';
import { businessHours } from './business-hours.ts';
import { catchNode } from './catch.ts';
import { code } from './code/index.ts';
import { collect } from './collect.ts';
import { condition } from './condition/index.ts';
import { database } from './database/index.ts';
import { decide } from './decide/index.ts';
import { delay } from './delay.ts';
import { end } from './end.ts';
import { forEach } from './for-each.ts';
import { functionNode } from './function.ts';
import { consent } from './consent.ts';
import { group } from './group.ts';
import { handoff } from './handoff.ts';
import { jump } from './jump.ts';
import { log } from './log.ts';
import { message } from './message.ts';
import { note } from './note.ts';
import { payment } from './payment/index.ts';
import { random } from './random.ts';
import { respond } from './respond.ts';
import { sendEvent } from './send-event.ts';
import { set } from './set.ts';
import { soap } from './soap/index.ts';
import { start } from './start.ts';
import { switchNode } from './switch.ts';
import { tags } from './tags.ts';
import { template } from './template.ts';
import { waitEvent } from './wait-event.ts';
import { waitExternal } from './wait-external.ts';
import { waitUntil } from './wait-until.ts';
import { webhook } from './webhook.ts';
export { WebhookAuth } from './webhook-auth.ts';
import { workflow } from './workflow.ts';

/** Every node of Hilo, in the order of the palette. Their types are kept, for `defineCanvas(standardNodes)`. */
export const standardNodes = [
  start,
  webhook,
  catchNode,
  message,
  ask,
  template,
  collect,
  condition,
  switchNode,
  businessHours,
  random,
  forEach,
  set,
  code,
  delay,
  waitUntil,
  waitEvent,
  waitExternal,
  sendEvent,
  workflow,
  jump,
  end,
  handoff,
  tags,
  group,
  consent,
  api,
  soap,
  database,
  functionNode,
  aiTask,
  decide,
  agent,
  payment,
  respond,
  log,
  note,
] as const satisfies readonly NodeDefinition[];

export {
  agent,
  aiTask,
  api,
  ask,
  catchNode,
  code,
  collect,
  condition,
  consent,
  database,
  decide,
  delay,
  end,
  forEach,
  functionNode,
  group,
  handoff,
  jump,
  log,
  message,
  note,
  payment,
  random,
  respond,
  sendEvent,
  set,
  soap,
  start,
  switchNode,
  tags,
  template,
  waitEvent,
  waitExternal,
  waitUntil,
  webhook,
  workflow,
};

// What a host that embeds the engine needs beside the nodes: the effect of every conversation, and what pairs it with a driver.
export { drive, driveDetached } from '@hilo/engine/contract';
export { sendMessage } from './effects/send-message.ts';

export { dateDueMs, datesAround, lastCronMs, listCronMs, nextCronMs, nextDateMs } from './schedule/due-times.ts';
export { readSchedules } from './schedule/read-schedules.ts';
export type { Audience, CronRule, DateRule, ScheduleRule } from './schedule/rule.ts';
export { hideWithheld } from './agent/hide-withheld.ts';
export { type CatalogueEntry, canvasSchema, nodeCatalogue, summariseNode } from './catalogue.ts';
export { authoredMessageProblems, type MessageProblem, messageProblems, problemsAtProvider } from './messages/channel-rules.ts';
export {
  type ChannelFacts,
  channelFacts,
  channelNames,
  type MediaLimit,
  type MediaType,
  type MessageType,
  messageTypes,
} from './messages/channel.ts';
export { InboundMessage } from './messages/inbound-message.ts';
export { Message, type MessageInput, RequestedMessage, StrictMessage } from './messages/message.ts';
export { chosenOption, type MessageOption, optionsOf } from './messages/options.ts';
export {
  Bsuid,
  isBsuid,
  issueCode,
  type MessageErrorCode,
  PhoneUserId,
  SendRequest,
  userIdFor,
  UserIdFormat,
  userIdProblem,
} from './messages/send-request.ts';
export { type TextUnit, textLength } from './messages/text.ts';
