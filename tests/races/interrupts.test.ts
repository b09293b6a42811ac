import { describe, it, expect } from 'vitest';
import { interruptAgainstReply } from './interrupt-against-reply.ts';
import { missed, patience } from './race.ts';

describe('a word that interrupts', patience, () => {
  it('beats the open question once, with its family, when replies, copies and a cancel come with it (P7, P10)', async () =>
    expect(await missed(interruptAgainstReply)).toEqual([]));
});
