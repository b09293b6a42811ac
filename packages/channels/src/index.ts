// The entry of @hilo/channels: the adapters of the providers by which people write to bots, and what a host's own adapter is made of.
import '@hilo/engine/require-node';
export type {
  AccountError,
  BoundTemplates,
  ChannelAdapter,
  ChannelAnswer,
  ChannelBot,
  ChannelCall,
  ChannelCheck,
  ChannelContext,
  ChannelDefinition,
  ChannelHost,
  ChannelLimits,
  ChannelMessage,
  ChannelTemplate,
  ConnectedChannel,
  Delivery,
  DeliveryHeaders,
  ExchangeAnswer,
  FormAnswer,
  FormQuestion,
  Received,
  Recipient,
  SendResult,
} from './channel-adapter.ts';
export type { ChannelEvent, ChannelUser } from './channel-event.ts';
export type { ListedTemplate, NewTemplate, TemplateChange, TemplateRefusal } from './template-change.ts';
export { defineChannel } from './channel-adapter.ts';
export type { FetchedFile, MediaError, SentFile } from './user-file.ts';
export { channelAdapters } from './channel-adapters.ts';
export { CustomEvent } from './custom/receive.ts';
export { type DraftLink, openDraftLink, sealDraftLink } from './web/draft-link.ts';
export { config as webConfig, type WebConfig } from './web/config.ts';
export { VisitorMessageId, visitorMessageName } from './web/receive.ts';
export { answerChallenge } from './x/index.ts';
export { bearerToken, issueSession, type Visitor, visitorOf } from './web/visitor.ts';
export { failedCall } from './provider-answer.ts';
