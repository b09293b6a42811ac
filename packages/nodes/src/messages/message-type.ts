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
export type MessageType = (typeof messageTypes)[number];
