import { createHmac, hkdfSync } from 'node:crypto';
import { HiloError } from '@hilo/engine/contract';
import type { LaneReply } from '@hilo/engine/runtime-kit';
import { expect, it } from 'vitest';
import { createTraffic } from '../../src/platform/http/traffic.ts';
import { createForwarding, forwardingPath, signatureHeader } from '../../src/processes/forwarding.ts';
import { createProcessRoutes } from '../../src/processes/routes.ts';
import { fakeService } from './fake-service.ts';

const masterKey = Buffer.alloc(32, 7);
const address = 'http://127.0.0.1:1';
const call = { type: 'cancel', companyId: '1', executionId: 'e', reason: 'A test' };

const sign = (body: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo calls between processes', 32)))
    .update(body)
    .digest('base64url');

/** A process that has the lane `here` and not the lane `away`, and fails for the others. */
async function openProcess() {
  const service = await fakeService();
  const taken: string[] = [];
  const takeHandedCall = async (lane: string): Promise<LaneReply | undefined> => {
    taken.push(lane);
    if (lane === 'without store') throw new HiloError('STORE_UNAVAILABLE', { reason: 'A test' });
    if (lane === 'broken') throw new TypeError('A test');
    return lane === 'here' ? { kind: 'answer', value: true } : undefined;
  };
  const forwarding = createForwarding({ address, masterKey, clock: service.clock });
  const engine = { ...service.engine, takeHandedCall };
  const app = createProcessRoutes({ engine, log: service.log, forwarding }, createTraffic(service));
  return {
    app,
    service,
    taken,
    post(sent: object) {
      const body = JSON.stringify({ to: address, sentAtMs: service.clock.now(), ...sent });
      return app.request(forwardingPath, { method: 'POST', headers: { [signatureHeader]: sign(body) }, body });
    },
  };
}

it('each call of a request has its own reply; one that fails does not affect the others, and only what is unexpected is an error', async () => {
  const { post, service } = await openProcess();
  const answer = await post({ calls: ['here', 'away', 'without store', 'broken', 'here'].map((lane) => ({ lane, call })) });
  expect(answer.status).toBe(200);
  const done = { kind: 'answer', value: true };
  expect(await answer.json()).toEqual({ replies: [done, { kind: 'elsewhere' }, { kind: 'failed' }, { kind: 'failed' }, done] });
  expect(service.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
});

it('a process that stops does none of them, and says that it failed', async () => {
  const { post, service, taken } = await openProcess();
  service.stopAccepting();
  expect((await post({ calls: [{ lane: 'here', call }] })).status).toBe(503);
  expect(taken).toEqual([]);
});

it.each([
  ['of a release that sends each call alone', { lane: 'here', call }],
  ['without calls', { calls: [] }],
  ['with more calls than are sent', { calls: Array.from({ length: 65 }, () => ({ lane: 'here', call })) }],
  ['with a call of a kind that is not known', { calls: [{ lane: 'here', call: { ...call, type: 'later' } }] }],
  ['for another process', { to: 'http://127.0.0.1:2', calls: [{ lane: 'here', call }] }],
  ['that is more than a minute old', { sentAtMs: -60_001, calls: [{ lane: 'here', call }] }],
])('nothing is done of a signed body %s (421)', async (_what, sent) => {
  const { post, taken } = await openProcess();
  const answer = await post(sent);
  expect([answer.status, taken]).toEqual([421, []]);
});

it.each(['', '{', 'no JSON', '[1,', '\u0000'])('a signed body that is no JSON is refused: %j (400)', async (body) => {
  const { app } = await openProcess();
  const answer = await app.request(forwardingPath, { method: 'POST', headers: { [signatureHeader]: sign(body) }, body });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'INVALID_REQUEST' }]);
});

it('as many calls as are sent at most are taken', async () => {
  const { post, taken } = await openProcess();
  expect((await post({ calls: Array.from({ length: 64 }, () => ({ lane: 'here', call })) })).status).toBe(200);
  expect(taken).toHaveLength(64);
});
