import { describe, expect, it } from 'vitest';
import { createListeners } from './events.ts';

const message = { companyId: 'c', botId: 'b', userId: 'u' };

describe('listeners', () => {
  it('are those who listened when the event began: one that is added meanwhile waits for the next, one that is removed is still called', () => {
    const { on, emit } = createListeners();
    const heard: string[] = [];
    const last = (): void => void heard.push('last');
    on('message.held', () => {
      heard.push('first');
      removeLast();
      on('message.held', () => void heard.push('added'));
    });
    const removeLast = on('message.held', last);
    emit('message.held', { ...message, kept: true });
    expect(heard).toEqual(['first', 'last']);
    emit('message.held', { ...message, kept: true });
    expect(heard).toEqual(['first', 'last', 'first', 'added']);
  });

  it('are called once for an event, however often they were registered, and never after they are removed', () => {
    const { on, off, emit } = createListeners();
    let calls = 0;
    const count = (): void => {
      calls += 1;
    };
    on('message.held', count);
    on('message.held', count);
    emit('message.held', { ...message, kept: true });
    expect(calls).toBe(1);
    off('message.held', count);
    off('message.held', count);
    emit('message.held', { ...message, kept: true });
    expect(calls).toBe(1);
  });

  it('do not reach each other: what one throws or rejects is a fault, and the others are called; a fault of a fault is none', async () => {
    const { on, emit } = createListeners();
    const faults: string[] = [];
    let calls = 0;
    on('engine.fault', ({ error, while: doing }) => {
      faults.push(`${String(error)} while ${doing}`);
      throw new Error('not this one');
    });
    on('message.held', () => {
      throw new Error('thrown');
    });
    on('message.held', async () => Promise.reject(new Error('rejected')));
    on('message.held', () => {
      calls += 1;
    });
    emit('message.held', { ...message, kept: true });
    await new Promise(setImmediate);
    expect(calls).toBe(1);
    expect(faults).toEqual([
      'Error: thrown while calling a listener of message.held',
      'Error: rejected while calling a listener of message.held',
    ]);
  });
});
