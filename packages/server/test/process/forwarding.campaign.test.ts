import { systemClock } from '@hilo/engine/node';
import { expect, it } from 'vitest';
import { createForwarding, forwardingPath, signatureHeader } from '../../src/processes/forwarding.ts';
import { inlineExample } from '../data/inline-example.ts';
import type { ServiceProcess } from '../service-process.ts';
import { accepted, type Caller, callerOf } from './caller.ts';
import { describeOverPostgres, type Place } from './place.ts';
import { type Relay, startRelay } from './relay.ts';

const secretKey = Buffer.alloc(32, 7);
const env = { HILO_SECRET_KEY: secretKey.toString('base64') };
const users = Array.from({ length: 16 }, (_, index) => `52155000001${10 + index}`);
const webhook = 'payment-once/web/wo1';

/** Starts a process that the others reach through a relay. */
async function startBehind(place: Place, relay: Relay): Promise<ServiceProcess> {
  const service = await place.start(['--advertise-url', relay.url], env);
  relay.leadTo(service.url);
  return service;
}

const start = async (caller: Caller, userId: string): Promise<string> =>
  accepted(await caller.hook(webhook, { user: { id: userId }, number: 'F-1', amount: '10' })).executionId;

const resume = (caller: Caller, executionId: string, receipt: string) => caller.hook(webhook, { meta: { executionId }, receipt });

/** Each conversation is whole, and each of its messages went out once. */
async function expectWhole(caller: Caller): Promise<void> {
  const executions = await caller.atRest('1');
  expect(executions.map(({ status, userId }) => `${userId} ${status}`).toSorted()).toEqual(users.map((userId) => `${userId} completed`));
  for (const userId of users) {
    const said = (await caller.messages('bot_web', userId)).map(({ message }) => message.text);
    expect(said).toEqual(['Hello there, invoice F-1 of 10 is due.', `Thank you. Receipt: ${userId}`]);
  }
}

describeOverPostgres('calls for lanes of another process', (open) => {
  it.each(['arrives', 'is lost'] as const)(
    'go to it over HTTP, one hop each, and have one consequence where the answer %s (P2, P10)',
    { timeout: 180_000 },
    async (fate) => {
      using place = await open(await inlineExample());
      await using toFirst = await startRelay();
      await using toSecond = await startRelay();
      await using first = await startBehind(place, toFirst);
      await using second = await startBehind(place, toSecond);
      const [one, other] = [callerOf(first.url), callerOf(second.url)];
      if (fate === 'is lost') for (const relay of [toFirst, toSecond]) relay.loseAnswers();
      const executionIds = await Promise.all(users.map((userId) => start(one, userId)));
      await one.atRest('1');
      const resumed = await Promise.all(executionIds.map((id, index) => resume(other, id, users[index] ?? '')));
      for (const [index, answer] of resumed.entries())
        expect(accepted(answer)).toMatchObject({ executionId: executionIds[index], mode: 'resume' });
      await expectWhole(one);
      const hops = toFirst.count() + toSecond.count();
      expect(hops).toBeGreaterThan(users.length / 4);
      expect(hops).toBeLessThanOrEqual(2 * users.length);
      // One that comes again is known, wherever it comes.
      for (const [index, id] of executionIds.entries())
        expect(accepted(await resume(one, id, users[index] ?? ''))).toMatchObject({ ignored: true });
      await expectWhole(other);
    },
  );

  it('are taken by the next to have the lane when their process was killed (P3)', async () => {
    using place = await open(await inlineExample());
    await using toFirst = await startRelay();
    await using toSecond = await startRelay();
    await using first = await startBehind(place, toFirst);
    await using second = await startBehind(place, toSecond);
    const one = callerOf(first.url);
    const executionIds = await Promise.all(users.map((userId) => start(callerOf(second.url), userId)));
    await one.atRest('1');
    await second.end('SIGKILL');
    const before = toSecond.count();
    const resumed = await Promise.all(executionIds.map((id, index) => resume(one, id, users[index] ?? '')));
    for (const answer of resumed) expect(accepted(answer)).toMatchObject({ mode: 'resume' });
    expect(toSecond.count()).toBeGreaterThan(before);
    await expectWhole(one);
  });

  it('are refused unless another process of the store signed them just now, for this one (P27)', async () => {
    using place = await open(await inlineExample());
    await using relay = await startRelay();
    await using first = await startBehind(place, relay);
    await using silent = await place.start([], env);
    const call = { type: 'cancel', companyId: '1', executionId: 'none', reason: 'A test' } as const;
    const send = (forwarding: { readonly reach: ReturnType<typeof createForwarding>['reach'] }, to = relay.url) =>
      forwarding.reach.send(to, 'a lane', call);
    const address = 'http://127.0.0.1:1';
    const signed = createForwarding({ address, masterKey: secretKey, clock: systemClock });
    const forged = createForwarding({ address, masterKey: Buffer.alloc(32, 8), clock: systemClock });

    await expect(send(signed)).resolves.toSatisfy(
      (reply) => reply === 'elsewhere' || (reply as { readonly kind: string }).kind === 'refused',
    );
    await expect(send(forged)).rejects.toThrow('answered 401');
    for (const awayMs of [-61_000, 61_000]) {
      const other = createForwarding({ address, masterKey: secretKey, clock: { ...systemClock, now: () => Date.now() + awayMs } });
      await expect(send(other)).resolves.toBe('elsewhere');
    }
    // What was signed for one address is nothing at another.
    await expect(send(signed, first.url)).resolves.toBe('elsewhere');
    await expect(send(signed, silent.url)).rejects.toThrow('answered 404');
    for (const headers of [{}, { [signatureHeader]: '' }, { [signatureHeader]: 'a'.repeat(43) }, { [signatureHeader]: 'é' }]) {
      const answer = await callerOf(first.url).call(`POST ${forwardingPath}`, { headers, body: JSON.stringify({ lane: 'a lane', call }) });
      expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    }
  });
});
