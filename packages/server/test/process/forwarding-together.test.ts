import { text } from 'node:stream/consumers';
import { systemClock } from '@hilo/engine/node';
import type { LaneCall } from '@hilo/engine/runtime-kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createForwarding, type ForwardedReply, signatureHeader } from '../../src/processes/forwarding.ts';
import { listen } from './listening.ts';

const forwardingOf = (address: string) => createForwarding({ address, masterKey: Buffer.alloc(32, 7), clock: systemClock });

/** Another process: it answers each call by its lane, and keeps how many came in each request. */
async function startOther(fateOf: (lane: string) => ForwardedReply) {
  const sizes: number[] = [];
  let isLosing = false;
  const listening = await listen((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const body = await text(incoming);
      const mine = forwardingOf(`http://${listening.address}`);
      const calls = mine.isSigned(Buffer.from(body), String(incoming.headers[signatureHeader])) ? mine.read(body) : undefined;
      if (calls === undefined) return void outgoing.writeHead(421).end();
      sizes.push(calls.length);
      if (isLosing) incoming.socket.destroy();
      else outgoing.end(JSON.stringify({ replies: calls.map(({ lane }) => fateOf(lane)) }));
    };
    void answer();
  });
  return {
    ...listening,
    url: `http://${listening.address}`,
    /** The largest first. */
    sizes: () => sizes.toSorted((one, other) => other - one),
    loseAnswers: (isLost: boolean) => void (isLosing = isLost),
  };
}

const signal = (length = 0): LaneCall => ({
  type: 'signal',
  companyId: '1',
  executionId: 'e',
  waitId: 'w',
  payload: 'a'.repeat(length),
  keys: [],
});
const cancel: LaneCall = { type: 'cancel', companyId: '1', executionId: 'e', reason: 'A test' };

it.each([
  { count: 1, requests: [1] },
  { count: 63, requests: [63] },
  { count: 64, requests: [64] },
  { count: 65, requests: [64, 1] },
  { count: 129, requests: [64, 64, 1] },
])('$count calls that come together are $requests in a request', async ({ count, requests }) => {
  await using other = await startOther((lane) => ({ kind: 'answer', value: lane }));
  const { reach, close } = forwardingOf('http://127.0.0.1:1');
  const lanes = Array.from({ length: count }, (_, index) => `lane ${index}`);
  const replies = await Promise.all(lanes.map((lane) => reach.send(other.url, lane, signal())));
  expect(replies).toEqual(lanes.map((value) => ({ kind: 'answer', value })));
  expect(other.sizes()).toEqual(requests);
  await close();
});

const fates = ['answer', 'busy', 'elsewhere', 'failed'] as const;

it('each call has its own outcome, whatever becomes of those in its request; long ones and cancellations have their own', async () => {
  const call = fc.record({ fate: fc.constantFrom(...fates), what: fc.constantFrom('short', 'long', 'cancel') });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 30 }), async (calls) => {
      const replyTo = (lane: string): ForwardedReply => {
        const kind = calls[Number(lane)]?.fate ?? 'failed';
        return kind === 'answer' ? { kind, value: lane } : { kind };
      };
      await using other = await startOther(replyTo);
      const { reach, close } = forwardingOf('http://127.0.0.1:1');
      const made = { short: signal(), long: signal(20_000), cancel };
      const outcomes = await Promise.all(
        calls.map(({ what }, index) => reach.send(other.url, String(index), made[what]).catch(() => 'failed' as const)),
      );
      const outcomeOf = (reply: ForwardedReply) => (reply.kind === 'elsewhere' || reply.kind === 'failed' ? reply.kind : reply);
      expect(outcomes).toEqual(calls.map((_, index) => outcomeOf(replyTo(String(index)))));
      const short = calls.filter(({ what }) => what === 'short').length;
      const alone = Array.from({ length: calls.length - short }, () => 1);
      expect(other.sizes()).toEqual(short === 0 ? alone : [short, ...alone]);
      await close();
    }),
    { numRuns: 25 },
  );
});

it('calls whose request is not answered all fail, and those that come later are sent', async () => {
  await using other = await startOther((lane) => ({ kind: 'answer', value: lane }));
  const { reach, close } = forwardingOf('http://127.0.0.1:1');
  other.loseAnswers(true);
  const lost = await Promise.allSettled(['a', 'b'].map((lane) => reach.send(other.url, lane, signal())));
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  other.loseAnswers(false);
  await expect(reach.send(other.url, 'c', signal())).resolves.toEqual({ kind: 'answer', value: 'c' });
  expect(other.sizes()).toEqual([2, 1]);
  await close();
});
