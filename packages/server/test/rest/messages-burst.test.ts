import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { receiver } from './receiver.ts';
import { restStage } from './rest-stage.ts';

/** More than are on their way to one receiver at once, by far. */
const users = 200;

it('sends all messages of a burst to a receiver that takes its time, none of them a second time (P22, P24)', async () => {
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
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(16);

  // No time passes from here on: what was refused would have to wait for its next try.
  isSlow = false;
  for (const response of held) response.end();
  await expect.poll(() => receiving.calls.length, { timeout: 10_000 }).toBe(users);
  expect(new Set(receiving.calls.map(({ key }) => key)).size).toBe(users);
});
