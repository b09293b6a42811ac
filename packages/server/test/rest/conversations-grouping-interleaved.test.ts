import type { Call, Runner } from '@hilo/stores';
import { seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createConversations } from '../../src/conversations/conversations.ts';
import { createGrouping } from '../../src/conversations/grouping.ts';
import { removeTexts } from '../../src/conversations/sql.ts';
import type { Outbox } from '../../src/messages/messages.ts';
import { ana, deskOf, helpDesk, idIn } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

/** A runner whose reads and writes are run one after the other, in the order that the scheduler chooses. */
const inTurns = (scheduler: fc.Scheduler, runner: Runner): Pick<Runner, 'write' | 'readOne'> => ({
  write: scheduler.scheduleFunction(runner.write),
  readOne: <Row>(one: Call<Row>) => scheduler.scheduleFunction((asked: Call<Row>) => runner.readOne(asked))(one),
});

describeOverEachStore('texts of an operator, added while several send them', (on) => {
  it(
    'leave once each, in order, however the reads and writes of all of them fall between each other (P9, GRP-01)',
    on(async ({ open, clock }) => {
      const service = await open({}, { runs: false });
      await service.importWorkspace({ workspace: await helpDesk() });
      const id = idIn(await deskOf(service).does('POST /conversations', { botId: 'bot_wa', userId: ana }));
      const conversation = { companyId: '1', id, botId: 'bot_wa', userId: ana };
      const { runner } = service.store;
      // Two such texts exceed the channel's limit: they are sent in two parts.
      const text = fc.tuple(fc.nat(9), fc.constantFrom(0, 3_000)).map(([digit, more]) => `${digit}${'.'.repeat(more)}`);
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(text, { minLength: 1, maxLength: 5 }),
          fc.integer({ min: 1, max: 3 }),
          async (scheduler, texts, senders) => {
            // Leftovers of a failed run would break those that are to show its cause.
            await runner.write([removeTexts({ companyId: '1', conversationId: id })]);
            const sent: string[] = [];
            const accept: Outbox['accept'] = async ({ message, guard = [] }) => {
              const { failed } = await runner.write(guard);
              if (failed !== undefined) return { kind: 'guarded' };
              if (typeof message['text'] === 'string') sent.push(message['text']);
              return { kind: 'accepted', messageId: '' };
            };
            const grouping = createGrouping({
              runner: inTurns(scheduler, runner),
              companies: service.companies,
              outbox: { accept: scheduler.scheduleFunction(accept) },
              clock,
              random: seededRandom(1),
            });
            const write = async (): Promise<void> => {
              for (const one of texts) await grouping.add(conversation, one, 5_000);
            };
            const send = async (): Promise<void> => {
              for (let time = 0; time < 3; time += 1) await grouping.flush('1', id);
            };
            await scheduler.waitFor(Promise.all([write(), ...Array.from({ length: senders }, send)]));
            await scheduler.waitFor(grouping.flush('1', id));
            expect(sent.flatMap((part) => part.split('\n'))).toEqual(texts);
          },
        ),
        { numRuns: 60, endOnFailure: true },
      );
    }),
    120_000,
  );

  it.each(['end', 'assign', 'transfer'] as const)(
    'are sent before the conversation changes, including one that is added last: %s (GRP-01, GRP-02)',
    async (change) =>
      on(async ({ open, clock }) => {
        const service = await open({}, { runs: false });
        await service.importWorkspace({ workspace: await helpDesk() });
        const desk = deskOf(service);
        const id = idIn(await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana }));
        const { companies, outbox, store } = service;
        const random = seededRandom(1);
        const grouping = createGrouping({ runner: store.runner, companies, outbox, clock, random });
        const late = ['late', 'later'];
        const flush = async (): Promise<void> => {
          await grouping.flush('1', id);
          const text = late.shift();
          if (text !== undefined) await grouping.add({ companyId: '1', id, botId: 'bot_wa', userId: ana }, text, 5_000);
        };
        const adding = { ...grouping, flush };
        const conversations = createConversations({ store, companies, outbox, grouping: adding, clock, random, wake: () => undefined });
        await (change === 'end' ? conversations.end('1', id, 'closed', 'done') : conversations[change]('1', id, { operatorId: 11 }));
        expect(await desk.sent()).toEqual(['late', 'later']);
      })(),
    120_000,
  );
});
