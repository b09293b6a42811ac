import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { receiver } from './receiver.ts';
import { messageIdOf, restStage } from './rest-stage.ts';

/** More than are on their way to one receiver at once, by far. */
const users = 200;

it('sends all messages of a burst to a slow receiver, none of them twice (P22, P24)', async () => {
  const held: ServerResponse[] = [];
  let isSlow = true;
  await using receiving = await receiver((_call, _attempt, response) => void (isSlow ? held.push(response) : response.end()));
  await using stage = await restStage(receiving.options);
  const accepted = await Promise.all(
    Array.from({ length: users }, (_, index) =>
      stage.send({ type: 'text', userId: String(5_215_500_000_000 + index), text: `${index}` }, 'bot_own'),
    ),
  );
  expect(accepted.filter(({ status }) => status !== 200)).toEqual([]);
  await expect.poll(() => held.length, { timeout: 60_000 }).toBe(16);

  // No time passes from here on: a refused message would wait for its next try.
  isSlow = false;
  for (const response of held) response.end();
  await expect.poll(() => receiving.calls.length, { timeout: 60_000 }).toBe(users);
  expect(new Set(receiving.calls.map(({ key }) => key)).size).toBe(users);
});

it('allows the receiver 20 s for a message that waited for its turn (EVT-01, P22)', async () => {
  const held: ServerResponse[] = [];
  const answer = (): void => {
    for (const response of held.splice(0)) response.end();
  };
  await using receiving = await receiver((_call, _attempt, response) => void held.push(response));
  await using stage = await restStage(receiving.options);
  const names = await Promise.all(
    Array.from({ length: 17 }, async (_, index) =>
      messageIdOf(await stage.send({ type: 'text', userId: String(5_215_500_000_000 + index), text: `${index}` }, 'bot_own')),
    ),
  );
  await expect.poll(() => held.length, { timeout: 60_000 }).toBe(16);
  stage.clock.advanceBy(18_000);
  answer();
  await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
  stage.clock.advanceBy(18_000);
  answer();
  const statuses = () => Promise.all(names.map(async (name) => (await stage.service.outbox.find('1', 'bot_own', name))?.status));
  await expect.poll(async () => new Set(await statuses()), { timeout: 60_000 }).toEqual(new Set(['sent']));
  expect(receiving.calls).toHaveLength(17);
});
