import { type Channel, channels } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { channelFacts, type MediaType } from './channel.ts';
import { authoredMessageProblems, messageProblems } from './channel-rules.ts';
import { Message, type MessageInput, StrictMessage } from './message.ts';

const problems = (message: MessageInput, channel: Channel) => messageProblems(Message.parse(message), channel);
const file = 'https://files.example/a.png';

/** The limits restated after LIM-05. */
const textLimits: { readonly [Name in Channel]: number } = {
  slack: 3000,
  teams: 4096,
  whatsapp: 4096,
  facebook: 2000,
  instagram: 1000,
  twitter: 10_000,
  web: 4096,
  custom: 4096,
};

describe('messageProblems', () => {
  it.each(channels)('accepts texts up to the limit of %s, and not one more (LIM-05)', (channel) => {
    const limit = textLimits[channel];
    for (const letter of channel === 'instagram' ? ['a'] : ['a', 'ñ', '😀']) {
      expect(problems({ type: 'text', text: letter.repeat(limit - 1) }, channel)).toEqual([]);
      expect(problems({ type: 'text', text: letter.repeat(limit) }, channel)).toEqual([]);
      expect(problems({ type: 'text', text: letter.repeat(limit + 1) }, channel)).toEqual([
        { path: ['text'], message: expect.stringContaining(`${limit + 1}`) as string },
      ]);
    }
  });

  it('counts bytes on instagram (LIM-05)', () => {
    expect(problems({ type: 'text', text: '😀'.repeat(250) }, 'instagram')).toEqual([]);
    expect(problems({ type: 'text', text: `${'ñ'.repeat(500)}a` }, 'instagram')).toMatchObject([{ path: ['text'] }]);
  });

  it('measures every text that a user reads', () => {
    const long = 'a'.repeat(1001);
    const message: MessageInput = {
      type: 'cta_url',
      title: long,
      text: long,
      caption: long,
      parameters: { url: 'https://a.example', display_text: 'Go' },
    };
    expect(problems(message, 'instagram').map(({ path }) => path.join('.'))).toEqual(['text', 'title', 'caption']);
    expect(problems({ type: 'voice_call', header: long, text: 'a', parameters: { display_text: 'Call' } }, 'instagram')).toHaveLength(1);
    expect(problems({ type: 'text', text: 'a', buttons: { title: long, options: [{ title: 'A' }] } }, 'instagram')).toMatchObject([
      { path: ['buttons', 'title'] },
    ]);
  });

  it.each(['facebook', 'instagram'] as const)('accepts titles of 20 characters on %s, where they become postbacks (MSG-12)', (channel) => {
    const titled = (length: number): MessageInput => ({ type: 'text', text: 'a', buttons: { options: [{ title: 'ñ'.repeat(length) }] } });
    expect(problems(titled(19), channel)).toEqual([]);
    expect(problems(titled(20), channel)).toEqual([]);
    expect(problems(titled(21), channel)).toMatchObject([{ path: ['buttons', 'options', 0, 'title'] }]);
    expect(problems(titled(24), 'whatsapp')).toEqual([]);
  });

  it.each(channels)('accepts captions on whatsapp alone, here %s (MSG-21, MSG-23, MSG-24)', (channel) => {
    for (const type of ['image', 'video', 'file'] as const) {
      const expected = channel === 'whatsapp' ? [] : [{ path: ['text'] }];
      expect(problems({ type, mediaUrl: file, text: 'Look' }, channel)).toMatchObject(expected);
      expect(problems({ type, mediaUrl: file }, channel)).toEqual([]);
      expect(problems({ type, mediaUrl: file, text: ' ' }, channel)).toEqual([]); // as good as none
    }
  });

  it.each(channels)('accepts stickers everywhere but on custom, here %s (MSG-25)', (channel) => {
    expect(problems({ type: 'sticker', mediaUrl: file }, channel)).toMatchObject(channel === 'custom' ? [{ path: ['type'] }] : []);
  });

  it.each(channels)('accepts carousels where the message is sent unchanged, here %s (MSG-41)', (channel) => {
    const cards = [0, 1].map((card_index) => ({
      card_index,
      type: 'cta_url' as const,
      header: { image: { link: file } },
      body: { text: 'a' },
      action: { name: 'cta_url' as const, parameters: { display_text: 'Go', url: file } },
    }));
    const isTaken = channel === 'web' || channel === 'custom';
    expect(problems({ type: 'carousel', text: 'a', parameters: { cards } }, channel)).toMatchObject(isTaken ? [] : [{ path: ['type'] }]);
  });
});

describe('authoredMessageProblems', () => {
  it('waits for expressions to have a value, and judges the rest', () => {
    const authored = StrictMessage.parse({
      type: 'text',
      text: `{{$context.greeting}}${'a'.repeat(3000)}`,
      buttons: { title: 'a'.repeat(3001), options: [{ title: '{{$context.first}} and then', payload: 'first' }] },
    });
    expect(authoredMessageProblems(authored, 'slack')).toMatchObject({ ofRules: [{ path: ['buttons', 'title'] }], ofProvider: [] });
    expect(authoredMessageProblems(authored, 'facebook')).toMatchObject({ ofRules: [{ path: ['buttons', 'title'] }], ofProvider: [] });
  });

  it('treats braces of a rendered message as text', () => {
    const text = `{{${'a'.repeat(3000)}`;
    expect(problems({ type: 'text', text }, 'slack')).toHaveLength(1);
  });
});

describe('channelFacts', () => {
  const KB = 1024;
  const MB = 1_048_576;

  it('holds a session window on whatsapp alone (WIN-01)', () => {
    expect(channels.filter((channel) => channelFacts[channel].hasSessionWindow)).toEqual(['whatsapp']);
  });

  it.each<[Channel, MediaType, number | undefined]>([
    ['whatsapp', 'image', 5 * MB],
    ['facebook', 'image', 8 * MB],
    ['instagram', 'image', 8 * MB],
    ['facebook', 'video', 25 * MB],
    ['instagram', 'audio', 25 * MB],
    ['instagram', 'file', 25 * MB],
    ['whatsapp', 'video', 16 * MB],
    ['whatsapp', 'file', 100 * MB],
    ['whatsapp', 'sticker', 100 * KB],
    ['web', 'sticker', 100 * KB],
    ['web', 'image', undefined],
  ])('limits %s %s to %s bytes (MED-03 to MED-06)', (channel, type, bytes) => {
    expect(channelFacts[channel].media[type]?.maxBytes).toBe(bytes);
  });
});
