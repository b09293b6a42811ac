// What is told of an event that is none, in Hilo's own contract.
import type { Json } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { customChannel } from '../src/custom/index.ts';
import { delivery, provider as host } from './stage.ts';

const connected = customChannel.connect(
  { companyId: '7', id: 'bot', channel: 'whatsapp', userIdFormat: 'strict' },
  { url: 'https://bridge.example', appSecret: 'secret' },
);
const event = {
  eventId: 'e1',
  botId: 'bot',
  user: { id: '5215512345678' },
  message: { id: 'm1', type: 'text', text: 'Hola' },
  receivedAt: '2031-03-01T09:00:00Z',
};

it.each<[Json, string]>([
  [[], 'the event: it must be an object'],
  [{ ...event, eventId: 7 }, 'eventId: it must be a text'],
  [{ ...event, user: {} }, 'user.id: it is missing'],
  [{ ...event, message: { type: 'text' } }, '"message.id" is missing: give a text that is not empty'],
  [{ ...event, message: { ...event.message, coordinates: { lat: 'north', long: 1 } } }, 'message.coordinates.lat: it must be a number'],
  [{ ...event, message: { ...event.message, contacts: {} } }, 'message.contacts: it must be a list'],
])('an event that is none is refused with its place and what belongs there (%#)', async (body, message) => {
  if ('unfitFields' in connected) throw new Error('The bot can work');
  expect(await connected.receive(delivery(body), host(404, {}).host)).toEqual({ kind: 'invalid', code: 'INVALID_REQUEST', message });
});

it.each(['text', 'payload', 'mediaUrl', 'filename', 'coordinates', 'contacts', 'replyTo', 'referral'])(
  'a %s of null is none',
  async (name) => {
    if ('unfitFields' in connected) throw new Error('The bot can work');
    const message = { id: 'm1', type: 'image', own: null, [name]: null };
    expect(await connected.receive(delivery({ ...event, message }), host(404, {}).host)).toMatchObject({
      kind: 'events',
      events: [{ kind: 'message', message: { id: 'm1', type: 'image', own: null } }],
    });
    expect(await connected.receive(delivery({ ...event, message: { ...message, type: null } }), host(404, {}).host)).toMatchObject({
      kind: 'invalid',
      message: '"message.type" is missing: give a text that is not empty',
    });
  },
);
