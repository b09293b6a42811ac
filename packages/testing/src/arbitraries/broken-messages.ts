import type { MessageInput } from '@hilo/nodes';
import fc from 'fast-check';
import { message, messageOf, messageText } from './messages.ts';

/** A message that must be refused. */
export interface BrokenMessage {
  readonly message: unknown;
  /** The rule that refuses it. */
  readonly rule: string;
  /** Where the issue is, its steps joined by dots. */
  readonly at: string;
}

type Change<Input> = (message: Input) => unknown;

/** Breaks valid messages in one way. */
const broken = <Input extends MessageInput>(
  rule: string,
  at: string,
  valid: fc.Arbitrary<Input>,
  change: Change<Input>,
): fc.Arbitrary<BrokenMessage> => valid.map((message) => ({ rule, at, message: change(message) }));

const { text, quick_reply, image, location, contacts, cta_url, flow, carousel } = messageOf;
const media = fc.oneof(image, messageOf.audio, messageOf.video, messageOf.file, messageOf.sticker);
const speaking = fc.oneof(
  text,
  quick_reply,
  cta_url,
  flow,
  carousel,
  messageOf.location_request,
  messageOf.contact_info_request,
  messageOf.voice_call,
);

const tooLong = (limit: number) => 'ñ'.repeat(limit + 1);
const withOption = (option: object) => (message: object) => ({ ...message, buttons: { options: [option] } });
const withFile = (mediaUrl: unknown) => (message: object) => ({ ...message, mediaUrl });
const without = (field: string) => (message: object) => Object.fromEntries(Object.entries(message).filter(([name]) => name !== field));

/** Messages that are wrong in exactly one way, on every channel and in canvases too. */
export const brokenMessage: fc.Arbitrary<BrokenMessage> = fc.oneof(
  broken('MSG-04', 'type', message, without('type')),
  broken('MSG-04', 'type', message, (message) => ({ ...message, type: 'telegram' })),
  broken('MSG-08', 'text', speaking, without('text')),
  broken('MSG-08', 'text', speaking, (message) => ({ ...message, text: ' \n' })),
  broken('MSG-08', 'text', speaking, (message) => ({ ...message, text: 5 })),
  broken('MSG-09', 'previewUrl', text, (message) => ({ ...message, previewUrl: 'yes' })),
  broken('MSG-14', 'buttons.buttonText.type', text, (message) => ({
    ...message,
    buttons: { buttonText: { type: 'url', text: 'Go' }, options: [{ title: 'A' }] },
  })),
  broken('MSG-15', 'buttons.options', text, (message) => ({ ...message, buttons: { options: [] } })),
  broken('MSG-15', 'buttons.options', text, (message) => ({
    ...message,
    buttons: { options: Array.from({ length: 11 }, (_, index) => ({ title: `${index}` })) },
  })),
  broken('MSG-16', 'buttons.options.0.title', text, withOption({ title: tooLong(24) })),
  broken('MSG-17', 'buttons.options.0.description', text, withOption({ title: 'A', description: tooLong(72) })),
  broken('MSG-18', 'buttons.options.1.payload', text, (message) => ({
    ...message,
    buttons: { options: [{ title: 'A' }, { title: 'B', payload: 'A' }] },
  })),
  broken('MSG-19', 'quick_replies', quick_reply, (message) => ({ ...message, quick_replies: [] })),
  broken('MSG-19', 'quick_replies', quick_reply, (message) => ({
    ...message,
    quick_replies: ['A', 'B', 'C', 'D'].map((title) => ({ title })),
  })),
  broken('MSG-19', 'title', quick_reply, (message) => ({ ...message, title: tooLong(20) })),
  broken('MSG-20', 'quick_replies.0.title', quick_reply, (message) => ({ ...message, quick_replies: [{ title: tooLong(20) }] })),
  broken('MSG-21', 'mediaUrl', media, without('mediaUrl')),
  broken('MSG-26', 'coordinates', location, without('coordinates')),
  broken('MSG-26', 'coordinates.lat', location, (message) => ({ ...message, coordinates: { ...message.coordinates, lat: 91 } })),
  broken('MSG-26', 'coordinates.long', location, ({ coordinates: { lat }, ...message }) => ({ ...message, coordinates: { lat, lng: 2 } })),
  broken('MSG-27', 'contacts', contacts, (message) => ({ ...message, contacts: [] })),
  broken('MSG-30', 'contacts.0.emails.0.email', contacts, (message) => ({ ...message, contacts: [{ emails: [{ email: 'ana' }] }] })),
  broken('MSG-32', 'contacts.0.phones.0.phone', contacts, (message) => ({ ...message, contacts: [{ phones: [{ phone: '52-1' }] }] })),
  broken('MSG-35', 'parameters.url', cta_url, (message) => ({
    ...message,
    parameters: { ...message.parameters, url: 'javascript:alert(1)' },
  })),
  broken('MSG-35', 'caption', cta_url, without('caption')),
  broken('MSG-37', 'parameters', flow, without('parameters')),
  broken('MSG-39', 'parameters.mode', flow, (message) => ({ ...message, parameters: { ...message.parameters, mode: 'live' } })),
  broken('MSG-41', 'parameters.cards', carousel, ({ parameters: { cards }, ...message }) => ({
    ...message,
    parameters: { cards: cards.slice(0, 1) },
  })),
  broken('MED-01', 'mediaUrl', media, withFile('http://files.example/a.png')),
  broken('MED-01', 'mediaUrl', media, withFile('https://ana:secret@files.example/a.png')),
  broken('MED-01', 'mediaUrl', media, withFile('https:///a.png')),
  broken('MED-01', 'mediaUrl', media, withFile('/a.png')),
  broken('MED-01', 'mediaUrl', media, withFile('https://files.example/\u0007.png')),
  broken('MED-01', 'mediaUrl', media, withFile(`https://files.example/${'a'.repeat(2048)}`)),
);

/** A name that no object of a message has as a field. */
export const unknownField: fc.Arbitrary<string> = fc.oneof(
  messageText(12).map((name) => `x-${name}`),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'Text', 'userId'),
);
