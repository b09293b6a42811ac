import { compileText } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { holdUser } from './outside-call.ts';

const none = { get: () => undefined };
const named = { get: () => 'Ana' };

describe('holdUser', () => {
  it('holds no user without a configured hold', () => {
    expect(holdUser(undefined, 1000, none)).toBeUndefined();
  });

  it('releases at the cap and keeps to the choice of discarding or queueing (RET-02, RET-06)', () => {
    expect(holdUser({ enabled: true, onMessage: 'queue' }, 1000, none)).toEqual({ onMessage: 'queue', capMs: 1000 });
  });

  it('answers with the waiting message, its expressions rendered (RET-01)', () => {
    const hold = holdUser({ enabled: true, onMessage: 'discard', message: compileText('Wait, {{$user.names}}') }, 1000, named);
    expect(hold?.reply).toEqual({ type: 'message.send', request: { message: { type: 'text', text: 'Wait, Ana' } } });
  });

  it('answers nothing with a waiting message that is blank', () => {
    expect(holdUser({ enabled: true, onMessage: 'discard', message: compileText(' ') }, 1000, none)?.reply).toBeUndefined();
  });
});
