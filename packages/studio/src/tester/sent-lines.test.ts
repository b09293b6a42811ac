import { standardNodes } from '@hilo/nodes';
import { expect, it } from 'vitest';
import { createTester } from '../worker/tester.ts';
import { contactLine, pictureLine, placeLine } from './sent-lines.ts';

/** Asks once, for what is sent. */
const asking = (kind: string) => ({
  schemaVersion: 1,
  id: 'ask',
  name: 'Ask',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'Send it' }, input: { kind }, saveAs: '$context.sent' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'done' },
  ],
});

it.each([
  ['location', placeLine(-90, 180, 'Pole'), { lat: -90, long: 180 }, 'location: -90, 180 Pole'],
  ['location', placeLine(19.43, -99.13, ''), { lat: 19.43, long: -99.13 }, 'location: 19.43, -99.13'],
  ['media', pictureLine('https://a.test/roof.png', 'My "roof"'), { mediaUrl: 'https://a.test/roof.png', text: 'My "roof"' }, 'My "roof"'],
  ['media', pictureLine('https://a.test/roof.png', ''), { mediaUrl: 'https://a.test/roof.png' }, 'image: https://a.test/roof.png'],
  ['contact', contactLine('Ana', '+51 999 888 777'), [{ name: { formatted_name: 'Ana' } }], 'contacts: Ana'],
  ['phone', contactLine('Ana', '+51 999 888 777'), '51999888777', 'contacts: Ana'],
])('an Ask for a %s takes %s', async (kind, line, sent, shown) => {
  const tester = createTester(standardNodes);
  const setting = { channel: 'whatsapp', company: {}, user: { id: '5215512345678' } } as const;
  await tester.start([asking(kind)], 'user: hi', setting);
  const { status, variables, lines, error } = await tester.play(line);
  expect([status, error]).toEqual(['completed', undefined]);
  expect(variables).toMatchObject({ $context: { sent } });
  expect(lines.findLast((one) => one.kind === 'user')).toMatchObject({ text: shown });
});
