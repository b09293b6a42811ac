import { afterEach, describe, expect, it, vi } from 'vitest';
import { findHiloChat } from './api.ts';

const page = (): NonNullable<Parameters<typeof findHiloChat>[0]> => ({});
const control = (bot: string) => ({ bot, open: vi.fn<() => void>(), close: vi.fn<() => void>() });

describe('HiloChat', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is one object for all chats of a page', () => {
    const own = page();
    expect(findHiloChat(own)).toBe(findHiloChat(own));
    expect(findHiloChat(own)).not.toBe(findHiloChat(page()));
  });

  it('opens and closes the chat of a bot, or the first; nothing where there is none', () => {
    const chat = findHiloChat(page());
    chat.open();
    const [first, second] = [control('a'), control('b')];
    chat.register(first);
    chat.register(second);
    chat.open();
    chat.open('b');
    chat.close('b');
    chat.open('c');
    expect([first.open, first.close, second.open, second.close].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1, 1]);
  });

  it('calls each listener of an event until it is ended, also where another one throws', () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    const chat = findHiloChat(page());
    const heard: unknown[] = [];
    const failure = new Error('of the page');
    chat.on('open', () => {
      throw failure;
    });
    const end = chat.on('open', (about) => heard.push(about));
    chat.on('close', () => heard.push('closed'));
    chat.emit('open', { bot: 'a' });
    end();
    chat.emit('open', { bot: 'a' });
    expect(heard).toEqual([{ bot: 'a' }]);
    expect(reported).toEqual([failure, failure]);
  });
});
