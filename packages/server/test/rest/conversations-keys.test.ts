import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { Place } from '../data/open-for-test.ts';
import { ana, deskOf, helpDesk, idIn } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const hello = { type: 'text', text: 'hello' };
const taken = {
  status: 400,
  body: {
    error: 'INVALID_REQUEST',
    message: 'This Idempotency-Key stands for another request of the last 24 hours: give each request a key of its own',
  },
};

/** A conversation with Ana, and an operator whose calls carry a key. */
async function keyedDesk({ open }: Pick<Place, 'open'>, window?: string) {
  const service = await open();
  const changes = { '/companies/0/settings/operatorGrouping': { enabled: window !== undefined, window: window ?? 'PT5S' } };
  await service.importWorkspace({ workspace: await helpDesk({}, changes) });
  const desk = deskOf(service);
  const id = idIn(await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana }));
  const management = createManagement(service);
  const say = async (key: string, body: JsonObject = hello) => {
    const response = await management.request(`/conversations/${id}/messages?companyId=1`, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  return { desk, id, say };
}

describeOverEachStore('the Idempotency-Key of a message of an operator', (on) => {
  it(
    'gets the first answer again and sends nothing more, also at the same time and after the end (MSG-43)',
    on(async (place) => {
      const { desk, id, say } = await keyedDesk(place);
      const answers = await Promise.all(Array.from({ length: 10 }, () => say('k')));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 200, body: { success: true, messageId: expect.stringMatching(/^msg_/) as unknown } });
      await desk.does(`POST /conversations/${id}/close`);
      expect(await say('k')).toEqual(answers[0]);
      expect(await say('k', { type: 'text', text: 'other' })).toEqual(taken);
      expect(await say('new')).toMatchObject({ status: 422 });
      expect(await desk.sent()).toEqual(['hello']);
    }),
    120_000,
  );

  it(
    'holds for texts that leave with others, and counts each as one answer (GRP-01, MSG-43)',
    on(async (place) => {
      const { desk, id, say } = await keyedDesk(place, 'PT5S');
      const leavesAt = new Date(place.clock.now() + 5_000).toISOString();
      const gathered = { status: 200, body: { success: true, messageId: null, leavesAt } };
      expect(await Promise.all([say('a'), say('a'), say('a')])).toEqual([gathered, gathered, gathered]);
      place.clock.advanceBy(1_000);
      expect(await say('b', { type: 'text', text: 'and more' })).toEqual(gathered);
      expect(await say('b')).toEqual(taken);
      await desk.does(`POST /conversations/${id}/close`);
      expect(await say('a')).toEqual(gathered);
      expect(await desk.sent()).toEqual(['hello\nand more']);
    }),
    120_000,
  );

  it(
    'is refused when it is malformed',
    on(async (place) => {
      const { desk, say } = await keyedDesk(place);
      const message = 'Idempotency-Key must be 1 to 128 letters, digits or signs, without blanks';
      for (const key of ['a b', 'x'.repeat(129)])
        expect(await say(key)).toEqual({ status: 400, body: { error: 'INVALID_REQUEST', message } });
      expect(await desk.sent()).toEqual([]);
    }),
    120_000,
  );
});
