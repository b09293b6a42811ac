import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, createRunner } from '@hilo/stores';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createCampaignRunner } from '../../src/campaigns/campaigns.ts';
import { renewals } from '../../src/platform/jobs/claims.ts';
import { createPaces } from '../../src/messages/pace.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { askAgainMs } from '../process/caller.ts';
import { ask, emptyDirectory, startService } from '../service-process.ts';
import { isOver, passTime, type Progress, progressOf, templatesTo } from './campaigns-progress.ts';
import { type CampaignList, campaignTo, phones } from './campaigns-stage.ts';

const authorization = `Basic ${btoa('acme-client:s3c:ret-of-acme')}`;

/** The one campaign of a process. */
async function campaignAt(url: string): Promise<Progress> {
  const { body } = await ask(url, '/v1/campaigns', { headers: { authorization } });
  const [found] = (body as CampaignList).data.results;
  return found as unknown as Progress;
}

/** Lets a limited number of steps happen; later ones are those of a dead process. */
interface Life {
  isDead(): boolean;
  step<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param last - whether the step at which it dies still takes effect */
function mortal(steps: number, last: 'done' | 'not done'): Life {
  let left = steps;
  return {
    isDead: () => left < 0,
    async step(work) {
      left -= 1;
      if (left > 0 || (left === 0 && last === 'done')) {
        const result = await work();
        if (left > 0) return result;
      }
      left = -1;
      return new Promise(() => undefined);
    },
  };
}

/** How often a claim is renewed depends on how fast the database is: it is no step. No clock of a dead process goes on. */
const isRenewal = ([first]: readonly Call[]): boolean => first?.statement === renewals.campaigns;

/** Runs campaigns, in a process that may die, until it is over. */
async function live({ store, companies, messages, log }: RunningService, life: Life, isOver: () => Promise<boolean>): Promise<void> {
  const clock = createVirtualClock();
  const runner = createRunner({
    ...store.runner,
    write: (calls) => (isRenewal(calls) ? store.runner.write(calls) : life.step(() => store.runner.write(calls))),
  });
  const campaigns = createCampaignRunner({
    store: { ...store, runner },
    companies: { ...companies, refresh: async () => undefined },
    deliver: (_bot, message) => life.step(async () => ({ kind: 'sent', messageId: await messages.sent(message) })),
    paces: createPaces({ runner, clock, rateOf: () => undefined }),
    clock,
    random: seededRandom(1),
    log,
  });
  void campaigns.start();
  do await passTime(clock, 500);
  while (!(await isOver()));
}

describe('a campaign whose process is killed', () => {
  it('reaches each recipient exactly once: kill -9 in the middle, twice (P1, P4, CAM-15)', async () => {
    using data = emptyDirectory();
    const users = phones(90);
    const file = join(data.path, 'workspace.json');
    writeFileSync(file, JSON.stringify(changed(await inlineExample(), { '/companies/0/campaigns': [campaignTo('long', users)] })));
    for (const enough of [15, 45]) {
      await using service = await startService(data.path, ['--workspace', file]);
      while ((await campaignAt(service.url)).deliveredMessages < enough) await pause(askAgainMs);
      await service.end('SIGKILL');
    }
    await using service = await startService(data.path, ['--workspace', file]);
    while (!isOver(await campaignAt(service.url))) await pause(askAgainMs);
    expect(await campaignAt(service.url)).toMatchObject({ totalMessages: 90, deliveredMessages: 90, failedMessages: 0 });
    const { body } = await ask(service.url, '/admin/v1/bots/bot_wa/messages?limit=200');
    const sent = (body as { readonly results: readonly { readonly userId: string }[] }).results.map(({ userId }) => userId);
    expect(sent.toSorted()).toEqual(users);
  }, 300_000);

  it(
    'reaches each recipient exactly once, whichever step was its last (P1, P4, CAM-15)',
    withPlace(async (place) => {
      const users = phones(3);
      const service = await place.open({}, { runs: false });
      // A busy machine takes more steps: the last life is the one that needs no other after it.
      for (let index = 0, survives = false; !survives; index += 1) {
        const [steps, last] = [1 + Math.floor(index / 2), index % 2 === 0 ? 'done' : 'not done'] as const;
        const id = `c${index}`;
        const workspace = changed(await inlineExample(), { '/companies/0/campaigns': [campaignTo(id, users)] });
        await service.importWorkspace({ workspace });
        const isDone = async () => isOver(await progressOf(service, id));
        const life = mortal(steps, last);
        await live(service, life, async () => life.isDead() || isDone());
        survives = !life.isDead();
        await live(service, mortal(Number.POSITIVE_INFINITY, 'done'), isDone);
        expect(await progressOf(service, id)).toMatchObject({ totalMessages: 3, deliveredMessages: 3, failedMessages: 0 });
        expect((await templatesTo(service)).toSorted()).toEqual(users.flatMap((user) => Array.from({ length: index + 1 }, () => user)));
      }
    }),
    600_000,
  );
});
