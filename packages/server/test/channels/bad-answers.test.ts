import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChannelsStage, channelsStage, type Line } from './stage.ts';

let stage: ChannelsStage;
beforeAll(async () => {
  stage = await channelsStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/**
 * Delivers a user's text, so that the user is known, and their WhatsApp window is open. The bot's reply has to reach its provider before that
 * answers badly: else the reply fails as well, and five failures would open the provider's breaker, in a time that does not pass here.
 */
async function hear(line: Line, id: string): Promise<void> {
  // The bot asks once more where ten minutes have passed, as they do here when many calls are waited for: that answers no delivery.
  const replies = (): number => line.texts().filter((text) => !text.includes('Are you still there?')).length;
  const before = replies();
  expect(await line.deliver(line.provider.textOf('Pedido', id, line.double.url, stage.rest.clock.now()))).toMatchObject({ status: 200 });
  await expect.poll(replies, { timeout: 60_000 }).toBe(before + 1);
}

describe('a provider that answers a send badly', () => {
  it.each(['whatsapp-cloud', 'messenger', 'slack', 'teams', 'x'])(
    'is called once by a bot of %s, and the record says that the outcome is unknown (P5)',
    async (kind) => {
      const line = stage.line(kind);
      await hear(line, 'in-500');
      // A byte at a time ends with the time of the call, which passes while the record is awaited.
      for (const mood of ['babbles', 'breaks', 'resets', 'drips'] as const) {
        line.double.meet(mood);
        const text = `Said to one that ${mood}`;
        const { status, body } = await stage.rest.send({ type: 'text', userId: line.provider.userId, text }, line.botId);
        expect(status).toBe(200);
        const at = `/v1/bots/${line.botId}/messages/${(body as { readonly messageId: string }).messageId}`;
        const lookLater = async () => {
          if (mood === 'drips') stage.rest.clock.advanceBy(1_000);
          return (await stage.rest.ask('GET', at)).body;
        };
        await expect.poll(lookLater, { timeout: 60_000 }).toMatchObject({
          status: 'failed',
          error: { code: 'OUTCOME_UNKNOWN', message: expect.stringMatching(/arrived: \w+/) as unknown },
        });
        expect(line.texts().filter((sent) => sent.includes(text))).toHaveLength(1);
      }
      line.double.meet('accepts');
    },
  );
});

describe('a provider that answers a send with a server error', () => {
  const error = { error: { code: 987_654, message: 'Never heard of' } };

  it.each([
    ['whatsapp-cloud', 500, error],
    ['messenger', 500, error],
    ['instagram', 502, error],
    ['slack', 500, { ok: false, error: 'never_heard_of' }],
    ['teams', 500, { error: { code: 'NeverHeardOf', message: 'No' } }],
    ['x', 500, { title: 'Internal Server Error' }],
  ])('that its table does not tell of is called once by a bot of %s: it may have taken the message (P5)', async (kind, status, body) => {
    const line = stage.line(kind);
    await hear(line, 'in-502');
    line.double.meet({ status, body, kind: 'unknown', cause: 'PROVIDER_UNAVAILABLE' });
    const text = `Said to one that fails ${kind}`;
    const answer = await stage.rest.send({ type: 'text', userId: line.provider.userId, text }, line.botId);
    const at = `/v1/bots/${line.botId}/messages/${(answer.body as { readonly messageId: string }).messageId}`;
    await expect
      .poll(async () => (await stage.rest.ask('GET', at)).body, { timeout: 60_000 })
      .toMatchObject({ status: 'failed', error: { code: 'OUTCOME_UNKNOWN' } });
    stage.rest.clock.advanceBy(120_000);
    expect(line.texts().filter((sent) => sent.includes(text))).toHaveLength(1);
    line.double.meet('accepts');
  });
});

describe('a provider that answers a send with 200 and an error', () => {
  it.each([
    ['whatsapp-cloud', { error: { code: 131_026, message: 'Message undeliverable' } }, 'USER_NOT_FOUND'],
    ['messenger', { error: { code: 551, message: 'This person is not available' } }, 'USER_NOT_FOUND'],
    ['slack', { ok: false, error: 'channel_not_found' }, 'USER_NOT_FOUND'],
  ])('is called once by a bot of %s, and the record has the reason', async (kind, answer, code) => {
    const line = stage.line(kind);
    await hear(line, 'in-501');
    line.double.meet({ status: 200, body: answer, kind: 'refused', cause: code });
    const text = `Said to one that refuses ${kind}`;
    const { body } = await stage.rest.send({ type: 'text', userId: line.provider.userId, text }, line.botId);
    const at = `/v1/bots/${line.botId}/messages/${(body as { readonly messageId: string }).messageId}`;
    await expect
      .poll(async () => (await stage.rest.ask('GET', at)).body, { timeout: 60_000 })
      .toMatchObject({ status: 'failed', error: { code, message: expect.any(String) as unknown } });
    expect(line.texts().filter((sent) => sent.includes(text))).toHaveLength(1);
    line.double.meet('accepts');
  });
});
