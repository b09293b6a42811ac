import { describe, expect, it } from 'vitest';
import { openDatabase } from '../data/runtime.ts';
import { receiver } from './receiver.ts';
import { ana, eva, messageIdOf, restStage } from './rest-stage.ts';

describe('two processes on one PostgreSQL', () => {
  it('keep one order to a user, whichever of them is called (P9)', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await using receiving = await receiver(async ({ text }, _attempt, response) => {
      if (text === '0') await held;
      response.end();
    });
    const settings = { ...receiving.options.settings, ...(await openDatabase()) };
    await using one = await restStage({ ...receiving.options, settings });
    await using two = await restStage({ ...receiving.options, settings });
    const names: string[] = [];
    for (let number = 0; number < 8; number += 1) {
      const body = { type: 'text', userId: ana, text: `${number}` };
      names.push(messageIdOf(await (number % 2 === 0 ? one : two).send(body, 'bot_own')));
    }
    await expect.poll(() => receiving.calls.map(({ text }) => text), { timeout: 60_000 }).toEqual(['0']);
    release();
    const settled = async () => {
      for (const stage of [one, two]) stage.clock.advanceBy(1_000); // each looks again for what the other is at
      const states = await Promise.all(names.map((name) => one.service.outbox.find('1', 'bot_own', name)));
      return states.map((state) => state?.status);
    };
    await expect.poll(settled, { timeout: 60_000 }).toEqual(names.map(() => 'sent'));
    expect(receiving.calls.map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
    expect(receiving.calls.map(({ messageId }) => messageId)).toEqual(names);
  });

  it('take over the claims of a dead one, with the same key (P1, P4)', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await using receiving = await receiver(async (_call, attempt, response) => {
      if (attempt === 1) await held;
      response.end();
    });
    const settings = { ...receiving.options.settings, ...(await openDatabase()) };
    await using one = await restStage({ ...receiving.options, settings });
    await using two = await restStage({ ...receiving.options, settings });
    const messageId = messageIdOf(await one.send({ type: 'text', userId: ana, text: 'held' }, 'bot_own'));
    await expect.poll(() => receiving.calls.length, { timeout: 60_000 }).toBe(1);
    const taken = async () => {
      two.clock.advanceBy(5_000); // the claim of the other lapses
      return (await two.service.outbox.find('1', 'bot_own', messageId))?.status;
    };
    await expect.poll(taken, { timeout: 60_000 }).toBe('sent');
    release();
    expect(receiving.calls).toHaveLength(2);
    expect(new Set(receiving.calls.map((call) => `${call.key} ${call.messageId}`)).size).toBe(1);
  });

  it('send once for one key, and nothing in a campaign that is over (MSG-43, P34, P6)', async () => {
    const settings = await openDatabase();
    await using one = await restStage({ settings });
    await using two = await restStage({ settings });
    const key = { 'idempotency-key': 'k1' };
    const body = { type: 'text', userId: ana, text: 'Hi' };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => (number % 2 === 0 ? one : two).send(body, 'bot_wa', key)));
    expect(new Set(answers.map(messageIdOf)).size).toBe(1);
    expect(await two.send({ ...body, text: 'Ho' }, 'bot_wa', key)).toMatchObject({ status: 400 });
    one.clock.advanceBy(86_400_000);
    const text = { type: 'text', userId: eva, text: 'Hi' };
    expect(await one.send(text)).toMatchObject({ status: 400 });

    const template = { type: 'template', templateId: 'tpl1', userId: eva, parameters: { name: 'Eva', code: 'E' } };
    const address = '/v1/bots/bot_wa/campaigns/camp_s/template-messages';
    const messageId = messageIdOf(await one.ask('POST', address, { body: template }));
    messageIdOf(await two.send(text)); // it is queued behind the template, which opens the window (WIN-02)
    await expect.poll(async () => (await two.service.outbox.find('1', 'bot_wa', messageId))?.status).toBe('sent');
    messageIdOf(await one.send(text));
    const [cancelled, ...sends] = await Promise.all([
      two.ask('DELETE', '/v1/campaigns/camp_s'),
      ...Array.from({ length: 10 }, () => one.ask('POST', address, { body: template })),
    ]);
    expect(cancelled.status).toBe(200);
    for (const { status } of sends) expect([200, 400]).toContain(status);
    expect(await one.ask('POST', address, { body: template })).toMatchObject({ status: 400 });
  });
});
