import type { Json } from '@hilo/engine/contract';
import type { VirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCampaignRunner } from '../../src/campaigns/campaigns.ts';
import type { Deliver, DueMessage, Tried } from '../../src/messages/messages.ts';
import { createOutbox } from '../../src/messages/outbox.ts';
import { createPaces, type Paces } from '../../src/messages/pace.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import type { Bot } from '../../src/tenants/companies.ts';
import { countCalls } from '../data/counted-calls.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { isOver, progressOf } from './campaigns-progress.ts';
import { campaignTo, phones } from './campaigns-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const rate = 80;
const rateOf = () => ({ messagesPerSecond: rate });
const never = new AbortController().signal;

const botIn = (service: RunningService): Bot => {
  const bot = service.companies.botOf('1', 'bot_wa');
  if (bot === undefined) throw new Error('The example has this bot');
  return bot;
};

const pacesOf = ({ store: { runner } }: Pick<RunningService, 'store'>, clock: VirtualClock): Paces =>
  createPaces({ runner, clock, rateOf });

/** A service that does nothing by itself, with `answered`, which resolves once its store has answered all that it was asked. */
const openExample = async (
  open: (settings: object, seams: { readonly runs: boolean }) => Promise<RunningService>,
  campaigns: readonly Json[] = [],
) => {
  const service = await open({}, { runs: false });
  const workspace = changed(await inlineExample(), { '/companies/0/campaigns': campaigns });
  await service.importWorkspace({ workspace });
  const { over, answered } = countCalls();
  return { ...service, store: { ...service.store, runner: over(service.store.runner) }, answered };
};

/** The most that were sent in any second. */
function mostInASecond(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  let [most, first] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - 1_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describeOverEachStore('the pace of a bot', (on) => {
  it(
    'is one for all processes of a store: campaigns of both together stay within the rate, and go as fast as it allows',
    on(async ({ open, clock }) => {
      const service = await openExample(open);
      const bot = botIn(service);
      const times: number[] = [];
      const stopping = new AbortController();
      const run = async (paces: Paces): Promise<void> => {
        while (!stopping.signal.aborted) {
          await paces.campaign(bot, stopping.signal);
          if (!stopping.signal.aborted) times.push(clock.now());
        }
      };
      const running = [pacesOf(service, clock), pacesOf(service, clock)].map(run);
      for (let step = 0; step < 400; step += 1) {
        await service.answered();
        clock.advanceBy(10);
      }
      stopping.abort();
      await Promise.all(running);
      expect(times.length).toBeGreaterThan(4 * rate * 0.8);
      expect(times.length).toBeLessThanOrEqual(4 * rate + rate / 5);
      expect(mostInASecond(times)).toBeLessThanOrEqual(rate + rate / 5);
    }),
    120_000,
  );

  it(
    'gives priority to conversations: they do not wait, and a campaign uses the rest',
    on(async ({ open, clock }) => {
      const service = await openExample(open);
      const bot = botIn(service);
      const [ours, others] = [pacesOf(service, clock), pacesOf(service, clock)];
      let campaign = 0;
      const stopping = new AbortController();
      const running = (async () => {
        for (;;) {
          await ours.campaign(bot, stopping.signal);
          if (stopping.signal.aborted) return;
          campaign += 1;
        }
      })();
      const waits: number[] = [];
      let conversations = 0;
      for (let step = 0; step < 400; step += 1) {
        await service.answered();
        clock.advanceBy(10);
        // Three of four turns are conversations', here and in another process.
        while (conversations < (step / 100) * rate * 0.75) {
          waits.push((conversations % 2 === 0 ? ours : others).conversation(bot));
          conversations += 1;
        }
      }
      stopping.abort();
      await running;
      expect(Math.max(...waits)).toBe(0);
      expect(conversations + campaign).toBeLessThanOrEqual(4 * rate * 1.15);
      expect(campaign).toBeGreaterThan(0);
    }),
    120_000,
  );
});

it(
  'conversations alone wait for each other, at even distances, behind a small burst',
  withPlace(async ({ open, clock }) => {
    const service = await openExample(open);
    const bot = botIn(service);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (count) => {
        clock.advanceBy(60_000);
        const paces = pacesOf(service, clock);
        const waits = Array.from({ length: count }, () => paces.conversation(bot));
        paces.stop();
        expect(waits.slice(0, 10).every((wait) => wait === 0)).toBe(true);
        expect(waits).toEqual(waits.toSorted((left, right) => left - right));
        expect(Math.abs((waits.at(-1) ?? 0) - (Math.max(0, count - 10) / rate) * 1_000)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  }),
);

it(
  'a bot whose provider changes keeps the rate of the new one',
  withPlace(async ({ open, clock }) => {
    const service = await openExample(open);
    const bot = botIn(service);
    let messagesPerSecond = 1;
    const paces = createPaces({ runner: service.store.runner, clock, rateOf: () => ({ messagesPerSecond, burst: 1 }) });
    const send = () => Array.from({ length: 3 }, () => paces.conversation(bot));
    expect(send()).toEqual([0, 1_000, 2_000]);
    messagesPerSecond = 10;
    expect(send()).toEqual([0, 100, 200]);
    expect(paces.campaignAtOnce(bot)).toBe(32);
    paces.stop();
  }),
);

it(
  'a clock that is set back delays no message (P12)',
  withPlace(async ({ open, clock }) => {
    const service = await openExample(open);
    const bot = botIn(service);
    await pacesOf(service, clock).campaign(bot, never);
    const back = { ...clock, now: () => clock.now() - 3_600_000 };
    const turn = createPaces({ runner: service.store.runner, clock: back, rateOf }).campaign(bot, never);
    await expect(turn).resolves.toBeUndefined();
  }),
);

const recipients = Number(process.env['HILO_CAMPAIGN'] ?? 600);
/** What a campaign may hold beside what the process has anyway. */
const maxBytes = 64 * 2 ** 20;

describe.each([0, 1_200])(
  `a campaign of ${recipients} messages at ${rate} a second, to a provider that answers after %d ms`,
  (answerMs) => {
    it(
      'is sent at the number’s rate, while its conversations are sent without waiting',
      { timeout: 1_200_000 },
      withPlace(async ({ open, clock, log }) => {
        const service = await openExample(open, [campaignTo('all', phones(recipients))]);
        const { store } = service;
        // None of the recipients has written: windows are tested elsewhere.
        const bot = { ...botIn(service), settings: { ...botIn(service).settings, enforceSessionWindow: false } };
        const companies = { ...service.companies, botOf: () => bot };
        const sentAtMs: { readonly isCampaign: boolean; readonly atMs: number }[] = [];
        let said = (): void => {};
        const deliver: Deliver<DueMessage, Tried> = async (_bot, { idempotencyKey, messageId }) => {
          const isCampaign = idempotencyKey.startsWith('campaign:');
          sentAtMs.push({ isCampaign, atMs: clock.now() });
          if (!isCampaign) said();
          if (answerMs > 0) await new Promise<void>((resolve) => void clock.setTimeout(resolve, answerMs));
          return { kind: 'sent', messageId };
        };
        const random = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
        const given: number[] = [];
        const pacesOfBots = pacesOf(service, clock);
        const paces: Paces = {
          ...pacesOfBots,
          async campaign(...turn) {
            await pacesOfBots.campaign(...turn);
            given.push(clock.now());
          },
        };
        const outbox = createOutbox({ store, companies, clock, random, log, deliver, isRecordOnly: () => false, paces });
        const campaigns = createCampaignRunner({
          store,
          companies: { ...companies, refresh: async () => undefined },
          deliver: outbox.send,
          paces,
          clock,
          random,
          log,
        });
        globalThis.gc?.();
        const before = process.memoryUsage();
        await outbox.start();
        await campaigns.start();
        clock.advanceBy(1_000);
        let held = 0;
        for (let step = 0; sentAtMs.length < recipients; step += 1) {
          await service.answered();
          if (step % 20 === 0) {
            // While no time passes: it waits for nothing.
            const left = new Promise<void>((resolve) => (said = resolve));
            const userId = String(5_219_900_000_000 + step);
            await outbox.accept({ companyId: '1', botId: 'bot_wa', userId, knownAs: userId, message: { type: 'text', text: 'Hi' } });
            await left;
          }
          if (step % 400 === 0) {
            globalThis.gc?.();
            const { heapUsed, external } = process.memoryUsage();
            held = Math.max(held, heapUsed + external - before.heapUsed - before.external);
          }
          clock.advanceBy(50);
        }
        for (let wait = 0; wait < 10_000 && !isOver(await progressOf(service, 'all')); wait += 1) {
          clock.advanceBy(100);
          await service.answered();
        }
        expect(await progressOf(service, 'all')).toMatchObject({ deliveredMessages: recipients, failedMessages: 0 });
        await campaigns.stop();
        await outbox.stop();
        paces.stop();
        const campaign = sentAtMs.filter(({ isCampaign }) => isCampaign).map(({ atMs }) => atMs);
        expect(campaign).toHaveLength(recipients);
        // Turns are counted when they are given: a store that takes its time lets what follows come late, and together.
        expect(given.length).toBeGreaterThanOrEqual(recipients);
        expect(mostInASecond(given)).toBeLessThanOrEqual(rate * 1.1);
        const seconds = ((campaign.at(-1) ?? 0) - (campaign[0] ?? 0)) / 1_000;
        expect(recipients / seconds).toBeGreaterThan(rate * 0.8);
        expect(held).toBeLessThanOrEqual(maxBytes);
        if (process.env['HILO_CAMPAIGN'] !== undefined)
          console.log(`${recipients} messages in ${seconds} s of virtual time; ${Math.round(held / 2 ** 20)} MiB more at most`);
      }),
    );
  },
);
