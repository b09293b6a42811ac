import { createVirtualClock } from '../../../testing/src/index.ts';
import { describe, expect, it } from 'vitest';
import { awaitFinish } from './await-finish.ts';
import { createListeners } from './events.ts';
import { createFinishes } from './finishes.ts';

const allOf = (waits: readonly unknown[]): Promise<readonly unknown[]> => Promise.all(waits.map(async (wait) => wait));

/** What waits, over events of an engine. */
function createResponses(clock: ReturnType<typeof createVirtualClock>) {
  const events = createListeners();
  const ended = (executionId: string, status: 'completed' | 'failed'): void => {
    const ref = { companyId: '1', executionId, workflowId: 'w', version: 1 };
    events.emit('execution.ended', ref as never, { status } as never);
  };
  return { ...createFinishes(clock, events), ended };
}

const response = { status: 201, headers: {}, body: { ok: true } };

describe('createFinishes', () => {
  it('gives a response or an end to every waiting call, once', async () => {
    const responses = createResponses(createVirtualClock());
    const waits = [responses.wait('a', 1_000), responses.wait('a', 2_000), responses.wait('b', 1_000)];
    responses.respond('a', response);
    responses.ended('a', 'completed');
    responses.ended('b', 'failed');
    expect(await allOf(waits)).toEqual([response, response, { ended: 'failed' }]);
  });

  it('keeps a response that comes before anyone waits, for one who does soon', async () => {
    const clock = createVirtualClock();
    const responses = createResponses(clock);
    for (const id of ['a', 'b']) responses.respond(id, response);
    responses.ended('a', 'completed');
    expect(responses.wait('a', 1_000)).toEqual(response);
    clock.advanceBy(1_000);
    const waits = ['a', 'b'].map((id) => responses.wait(id, 1_000));
    clock.advanceBy(1_000);
    expect(await allOf(waits)).toEqual([undefined, undefined]);
  });

  it('gives it without a look at how long the call may wait, or whether its caller is still there', async () => {
    const finishes = createResponses(createVirtualClock());
    finishes.respond('a', response);
    const nobody = {
      get over(): AbortSignal {
        throw new Error('Nobody waits');
      },
    };
    expect(await awaitFinish({ finishes } as never, '1', { executionId: 'a', isNewExecution: true }, nobody)).toEqual(response);
  });

  it.each([9_999, 10_000, 10_001])('keeps at most 10,000 such responses, the oldest of which goes first: %i', (count) => {
    const responses = createResponses(createVirtualClock());
    for (let at = 0; at < count; at += 1) responses.respond(`e${at}`, response);
    const taken = Array.from({ length: count }, (_, at) => responses.wait(`e${at}`, 0) === response);
    expect(taken.indexOf(true)).toBe(Math.max(0, count - 10_000));
    expect(taken.lastIndexOf(false)).toBe(Math.max(0, count - 10_000) - 1);
    expect(responses.wait(`e${count - 1}`, 0)).toBeInstanceOf(Promise); // each is given once
  });

  it('keeps the first of two such responses, as a call that waits already gets it', async () => {
    const clock = createVirtualClock();
    const responses = createResponses(clock);
    const second = { status: 200, headers: {}, body: 'second' };
    for (const each of [response, second]) responses.respond('a', each);
    expect(responses.wait('a', 1_000)).toEqual(response);
    responses.respond('b', response);
    clock.advanceBy(1_000);
    responses.respond('b', second); // the first is for a call that has gone
    expect(responses.wait('b', 1_000)).toEqual(second);
  });

  it('ends each wait at its own limit (P13)', async () => {
    const clock = createVirtualClock();
    const responses = createResponses(clock);
    const [short, long] = [responses.wait('a', 1_000), responses.wait('a', 2_000)];
    clock.advanceBy(1_000);
    responses.respond('a', response);
    expect(await allOf([short, long])).toEqual([undefined, response]);
    expect(clock.nextMs()).toBeUndefined();
  });

  it('lets go of all who wait, and of all who come later, when the process stops (P25)', async () => {
    const clock = createVirtualClock();
    const responses = createResponses(clock);
    const waits = [responses.wait('a', 1_000), responses.wait('a', 2_000), responses.wait('b', 1_000)];
    responses.release();
    responses.respond('c', response);
    expect(await allOf([...waits, responses.wait('b', 1_000), responses.wait('c', 1_000)])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      response,
    ]);
    expect(clock.nextMs()).toBeUndefined();
  });
});
