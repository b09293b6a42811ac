import { Message, type MessageInput } from '@hilo/nodes';
import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import type { Paint } from '../paint.ts';
import { drawMessage } from './draw-message.ts';

const plain: Paint = (_format, text) => text;
const draw = (message: MessageInput, width = 60): string => drawMessage(Message.parse(message), plain, width);

const mediaUrl = 'https://files.example/cat.png';

const examples: readonly (readonly [message: MessageInput, seen: readonly string[]])[] = [
  [{ type: 'text', text: 'Hello' }, ['Hello']],
  [
    { type: 'text', text: 'Choose', buttons: { options: [{ title: 'Tea', description: 'green', payload: 't' }, { title: 'Mugs' }] } },
    ['Choose', '1  Tea  green', '2  Mugs'],
  ],
  [{ type: 'quick_reply', text: 'Sure?', quick_replies: [{ title: 'Yes' }, { title: 'No' }] }, ['Sure?', '1  Yes', '2  No']],
  [{ type: 'image', mediaUrl, text: 'A cat' }, [`image ${mediaUrl}`, 'A cat']],
  [{ type: 'audio', mediaUrl: 'https://files.example/a.mp3' }, ['audio https://files.example/a.mp3']],
  [{ type: 'video', mediaUrl: 'https://files.example/v.mp4' }, ['video https://files.example/v.mp4']],
  [{ type: 'file', mediaUrl: 'https://files.example/bill.pdf', filename: 'bill.pdf' }, ['file bill.pdf']],
  [{ type: 'sticker', mediaUrl: 'https://files.example/s.webp' }, ['sticker https://files.example/s.webp']],
  [{ type: 'location', coordinates: { lat: -12.05, long: -77.04 } }, ['location -12.05, -77.04']],
  [{ type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+51999' }] }] }, ['contact Ana, +51999']],
  [{ type: 'location_request', text: 'Where are you?' }, ['Where are you?', '[ Send location ]']],
  [{ type: 'contact_info_request', text: 'Who are you?' }, ['Who are you?', '[ Share contact ]']],
];

describe('drawMessage', () => {
  it.each(examples)('draws %j', (message, seen) => {
    const drawn = draw(message, 100);
    for (const text of seen) expect(drawn).toContain(text);
  });

  it('frames a message in lines of one width, wherever its lines break', () => {
    const text =
      'A long text with wide characters 日本語 and a word_that_is_longer_than_any_line_could_ever_be_in_this_frame.\n\nAnd a second paragraph 👩‍👩‍👧.';
    const lines = draw({ type: 'text', text }, 40).split('\n');
    expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1);
    expect(stringWidth(lines[0] ?? '')).toBeLessThanOrEqual(40);
    expect(lines.join('').replace(/[│╭╮╰╯─\s]/g, '')).toBe(text.replace(/\s/g, ''));
  });

  it('shows what a message would do to the terminal', () => {
    const drawn = draw({ type: 'text', text: 'a\u001b[2Jb\u0000' });
    expect(drawn).toContain('a␛[2Jb␀');
  });
});
