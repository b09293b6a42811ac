import type { Channel } from '@hilo/engine/contract';
import { channelLimits } from './channel-limits.ts';
import type { TextUnit } from './text.ts';

/** The types of message (MSG-07), and the extension `carousel` (MSG-41). */
export const messageTypes = [
  'text',
  'quick_reply',
  'image',
  'audio',
  'video',
  'file',
  'sticker',
  'location',
  'contacts',
  'location_request',
  'contact_info_request',
  'cta_url',
  'voice_call',
  'flow',
  'carousel',
] as const;
/** The type of a message: a body of its own, such as `text` or `carousel`. */
export type MessageType = (typeof messageTypes)[number];

/** Channels as people call them, in a sentence. */
export const channelNames: { readonly [Name in Channel]: string } = {
  whatsapp: 'WhatsApp',
  web: 'the web chat',
  instagram: 'Instagram',
  facebook: 'Messenger',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  twitter: 'X',
  custom: 'a channel of your own',
};

/** Types of message that carry a file. */
export type MediaType = Extract<MessageType, 'image' | 'audio' | 'video' | 'file' | 'sticker'>;

/** Which files a channel accepts. A file of exactly `maxBytes` is accepted (MED-03). */
export interface MediaLimit {
  /** Content types, `video/*` for a whole family; without it every type goes (MED-06). */
  readonly contentTypes?: readonly string[];
  readonly maxBytes: number;
}

/** Facts about a channel: the one table in which the specification's disguised names are resolved. */
export interface ChannelFacts {
  /** Messages other than templates go out only within 24 hours of the user's last (WIN-01). */
  readonly hasSessionWindow: boolean;
  /** The longest text (LIM-05). */
  readonly textLimit: { readonly max: number; readonly unit: TextUnit };
  /** The longest title of an option, where it becomes a postback button (MSG-12, LIM-04). */
  readonly postbackTitleMax?: number;
  /** Whether an image, a video or a file may have a `text` (MSG-21, MSG-23, MSG-24). */
  readonly takesCaptions: boolean;
  /** Whether options are numbered lines of a text there, so that a user answers with a number. */
  readonly numbersOptions?: boolean;
  /** Types the channel cannot carry: stickers on `custom` (MSG-25), carousels where no adapter makes one (MSG-41). */
  readonly refusedTypes: readonly MessageType[];
  /** A type of file without a line has no limit here (MED-03 to MED-06). */
  readonly media: { readonly [Type in MediaType]?: MediaLimit };
}

const KB = 1024;
const MB = 1024 * KB;

const sticker: MediaLimit = { contentTypes: ['image/webp'], maxBytes: 100 * KB };

/** Limits marked "platform" are the provider's, where the specification is silent (MED-04). */
const whatsappMedia: ChannelFacts['media'] = {
  image: { contentTypes: ['image/jpeg', 'image/png'], maxBytes: 5 * MB },
  audio: { contentTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], maxBytes: 16 * MB }, // platform
  video: { contentTypes: ['video/mp4', 'video/3gpp'], maxBytes: 16 * MB }, // platform
  file: { maxBytes: 100 * MB }, // platform
  sticker,
};

const messengerMedia: ChannelFacts['media'] = {
  image: { contentTypes: ['image/jpeg', 'image/png'], maxBytes: 8 * MB },
  audio: { contentTypes: ['audio/*'], maxBytes: 25 * MB },
  video: { contentTypes: ['video/*'], maxBytes: 25 * MB },
  file: { maxBytes: 25 * MB },
  sticker,
};

const usual = {
  hasSessionWindow: false,
  takesCaptions: false,
  refusedTypes: ['carousel'],
  media: { sticker },
} as const satisfies Partial<ChannelFacts>;

/** What each channel has and takes: sessions, ids of users, kinds of messages. */
export const channelFacts: { readonly [Name in Channel]: ChannelFacts } = {
  whatsapp: {
    ...usual,
    hasSessionWindow: true,
    takesCaptions: true,
    textLimit: { max: channelLimits.whatsapp.text, unit: 'characters' },
    media: whatsappMedia,
  },
  facebook: {
    ...usual,
    textLimit: { max: channelLimits.facebook.text, unit: 'characters' },
    postbackTitleMax: channelLimits.facebook.buttonTitle,
    media: messengerMedia,
  },
  instagram: {
    ...usual,
    textLimit: { max: channelLimits.instagram.text, unit: 'bytes' },
    postbackTitleMax: channelLimits.instagram.buttonTitle,
    media: { ...messengerMedia, file: { contentTypes: ['application/pdf'], maxBytes: 25 * MB } },
  },
  slack: { ...usual, textLimit: { max: channelLimits.slack.text, unit: 'characters' } },
  teams: { ...usual, textLimit: { max: channelLimits.teams.text, unit: 'characters' } },
  twitter: { ...usual, textLimit: { max: channelLimits.twitter.text, unit: 'characters' }, numbersOptions: true },
  // These two have no provider: the message is passed on unchanged, including carousels.
  web: { ...usual, textLimit: { max: channelLimits.web.text, unit: 'characters' }, refusedTypes: [] },
  custom: { ...usual, textLimit: { max: channelLimits.custom.text, unit: 'characters' }, refusedTypes: ['sticker'], media: {} },
};
