import { describe, expect, it } from 'vitest';
import { lengthOn, textLimit } from './MessagePreview.tsx';

describe('the counter of a message', () => {
  it('counts against what the channel takes: less beside buttons, and none for a picture without a caption', () => {
    const text = { type: 'text', text: 'Hi' };
    const buttons = { type: 'quick_reply', text: 'Hi', quick_replies: [] };
    expect([textLimit('whatsapp', text), textLimit('whatsapp', buttons)]).toEqual([4_096, 1_024]);
    expect([textLimit('facebook', text), textLimit('facebook', buttons)]).toEqual([2_000, 640]);
    expect([textLimit('whatsapp', { type: 'image' }), textLimit('facebook', { type: 'image' })]).toEqual([1_024, undefined]);
  });

  it('counts code points, and bytes where the channel does', () => {
    expect([lengthOn('whatsapp', 'a👍é'), lengthOn('instagram', 'a👍é')]).toEqual([3, 7]);
  });
});
