import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentedDeliveries } from '../../../channels/test/documented-deliveries.ts';
import { samples } from '../../../channels/test/delivery-samples.ts';
import { changes } from '../../../channels/test/json-changes.ts';
import { secret } from '../../../channels/test/providers.ts';
import { drawn } from '../../../../scripts/vitest/part-of.ts';
import { type ChannelsStage, channelsStage, type Line } from './stage.ts';

let stage: ChannelsStage;
beforeAll(async () => {
  stage = await channelsStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A sample whose files and services are at the double: nothing beyond this machine is called. */
const withinReach = (sample: JsonObject, { double }: Line): JsonObject =>
  JSON.parse(JSON.stringify(sample).replaceAll(/https?:\/\/[^/"\\ ]+/g, double.url)) as JsonObject;

describe.each(Object.entries(samples))('a signed delivery to a bot of %s with any part of it replaced', (kind, bodies) => {
  it('is processed, or refused as malformed: it is never a failure of the service', async () => {
    const line = stage.line(kind);
    const changed = bodies.flatMap((sample) => [...changes(withinReach(sample, line))].map(({ value = null }) => value));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...changed), async (sent) => {
        const body = JSON.stringify(sent);
        const { status } = await line.post(body, await line.provider.sign(body, stage.rest.clock.now(), secret));
        // The token of Teams names the service of the activity: without one nothing is signed.
        expect(kind === 'teams' ? [200, 400, 401] : [200, 400]).toContain(status);
      }),
      { numRuns: 60 },
    );
  });
});

/** A documented delivery by ids of its own. */
const numbered = (body: JsonObject, number: number): JsonObject =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/"(?:w1|m1|Ev1|17|954)"/g, (name) => `"${name.slice(1, -1)}-${number}"`)
      .replaceAll('1750000000.000200', `1750000000.${200_000 + number}`),
  ) as JsonObject;

describe.each(Object.entries(documentedDeliveries))('a delivery of each kind that %s documents', (kind, deliveries) => {
  it('is answered 200, and keeps nothing more when it comes again', async () => {
    const line = stage.line(kind);
    const { messages } = stage.rest.service;
    // What the bot says to a message may come later than its answer.
    const kept = async (): Promise<readonly unknown[]> => {
      const { results } = await messages.list('1', line.botId, { limit: 100 });
      return results.filter(({ direction }) => direction === 'inbound').map(({ messageId }) => messageId);
    };
    for (const [index, { what, body }] of drawn([...deliveries.entries()], 8)) {
      const sent = withinReach(numbered(body, index), line);
      const first = await line.deliver(sent);
      const before = await kept();
      const again = await line.deliver(sent);
      const more = (await kept()).filter((id) => !before.includes(id));
      expect([what, first.status, again.status, more]).toEqual([what, 200, 200, []]);
    }
  });
});

it('a user whose messages fail costs the others of a delivery nothing, and is brought again', async () => {
  const line = stage.line('whatsapp-cloud');
  const { engine, messages } = stage.rest.service;
  const users = Array.from({ length: 30 }, (_, index) => `52155000000${index + 10}`);
  const written = users.map((from, index) => ({ from, id: `many-${index}`, timestamp: '1750269342', type: 'text', text: { body: 'Hi' } }));
  const value = { metadata: { phone_number_id: '1065' }, messages: written };
  const delivery = { entry: [{ changes: [{ field: 'messages', value }] }] };
  const receive = engine.receiveMessage.bind(engine);
  const failing = vi
    .spyOn(engine, 'receiveMessage')
    .mockImplementation((message) =>
      message.user.id === users[0] ? Promise.reject(new RangeError('It cannot be read')) : receive(message),
    );
  try {
    expect(await line.deliver(delivery)).toMatchObject({ status: 500 });
  } finally {
    failing.mockRestore();
  }
  const kept = async (): Promise<readonly unknown[]> => {
    const { results } = await messages.list('1', line.botId, { limit: 100 });
    return results.map(({ messageId }) => messageId).filter((id) => String(id).startsWith('many-'));
  };
  expect(new Set(await kept())).toEqual(new Set(written.slice(1).map(({ id }) => id)));
  expect(await line.deliver(delivery)).toMatchObject({ status: 200 });
  expect(await kept()).toHaveLength(users.length);
});
