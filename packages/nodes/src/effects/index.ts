// The entry of @hilo/nodes/effects: what nodes may ask of the world.
export { askModel } from './ask-model.ts';
export { callDatabase } from './call-database.ts';
export { callFunction } from './call-function.ts';
export { callMcpTool } from './call-mcp-tool.ts';
export { callSoap, SoapVersion } from './call-soap.ts';
export { changeConsent } from './change-consent.ts';
export { changeGroup, groupName } from './change-group.ts';
export { changeTags, changedTags } from './change-tags.ts';
export { type Chosen, chooseOperator, type Wanted, refuseHandoff } from './choose-operator.ts';
export { findTemplate, parametersProblem, type SendableTemplate } from './choose-template.ts';
export { FileHandle, handlesWithin, isFileHandle } from './file-handle.ts';
export { type FilePart, HttpBodyKind, HttpFile, HttpMethod, HttpParts, HttpResponseType, httpRequest } from './http-request.ts';
export { LogLevel, logEvent } from './log-event.ts';
export { openCheckout } from './open-checkout.ts';
export { openHandoff } from './open-handoff.ts';
export { respondWebhook } from './respond-webhook.ts';
export { runCode } from './run-code.ts';
export { answersToInstructions, samplesOfSchema } from './schema-samples.ts';
export {
  reopeningWindow,
  sendMessage,
  sendTemplate,
  type SessionWindowOptions,
  type TemplateReopensWindow,
  windowIsOpen,
  withSessionWindow,
} from './send-message.ts';
// Outgoing and incoming messages: the requests of the effects above that carry messages, and the rules of channels.
export { type ChannelFacts, channelFacts, channelNames } from '../messages/channel.ts';
export { channelLimits } from '../messages/channel-limits.ts';
export { maxFormBytes } from '../ask/form-input.ts';
export { showsNothing } from '../messages/folded-text.ts';
export { InboundMessage } from '../messages/inbound-message.ts';
export { Message } from '../messages/message.ts';
export { problemsAtProvider } from '../messages/channel-rules.ts';
export { lines, optionText, plainText } from '../messages/plain-text.ts';
export { fitsPageButtons, fitsReplyButtons, quickReplyText, slackText } from '../messages/provider-rules.ts';
export {
  fillPlaces,
  isMedia,
  listButtonPlaces,
  listHeaderPlaces,
  listPlaces,
  readComponents,
  sampleParameters,
  type TemplateComponent,
  type TemplateContent,
  templateParameters,
  type TemplatePlace,
} from '../messages/template-parameters.ts';
export { isLonger, textLength } from '../messages/text.ts';
export { Bsuid, userIdProblem } from '../messages/send-request.ts';
