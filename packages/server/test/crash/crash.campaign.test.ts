import { describe, expect, it } from 'vitest';
import { expectAccountedFor } from '../process/accounts.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { callerOf } from '../process/caller.ts';
import { finish, type Invoice, startLoad } from '../process/load.ts';
import { openPlace } from '../process/place.ts';
import { campaignTo, phones } from '../rest/campaigns-stage.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Death, environmentOf, lastWords, type Point, sides } from './points.ts';

/** Deaths at a point, on both sides of it, the first time that it is reached and later. */
const deathsAt = (point: Point, passed: readonly number[]): readonly Death[] =>
  sides.flatMap((side) => passed.map((times) => ({ point, side, passed: times })));

const ofRequests: readonly Point[] = ['request head', 'first write', 'half an answer'];

/** A due campaign may be resumed, and kill the process, before the service reports that it is up. */
async function stderrOfDeath(starting: Promise<ServiceProcess>): Promise<string> {
  try {
    await using service = await starting;
    return (await service.over).stderr;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a service that is killed', () => {
  it.for(ofRequests)(
    'at %s: a call without an answer is an honest unknown, the same again comes to one execution (P1, P2, P10)',
    {
      timeout: 180_000,
    },
    async (point) => {
      using place = openPlace(await inlineExample());
      const invoices: Invoice[] = [];
      for (const death of deathsAt(point, [0, 7])) {
        await using service = await place.start([], environmentOf(death));
        const load = startLoad(service.url, 3, invoices);
        expect(await load.over).toEqual([]);
        expect((await service.over).stderr).toBe(lastWords(death));
      }

      await using service = await place.start();
      const caller = callerOf(service.url);
      const kept = new Set((await caller.executions('1')).map(({ executionId }) => executionId));
      expect(invoices.filter(({ executionId }) => executionId !== undefined && !kept.has(executionId))).toEqual([]);
      const ids = await Promise.all(invoices.map((invoice) => finish(caller, invoice)));
      expect(ids.filter((id, index) => id !== (invoices[index]?.executionId ?? id))).toEqual([]);
      expect(new Set(ids).size).toBe(invoices.length);
      expect(await expectAccountedFor(caller)).toBe(invoices.length);
    },
  );

  it('at the campaign status: each recipient has the campaign once (P1, P6, CAM-15)', { timeout: 180_000 }, async () => {
    const users = phones(5);
    using place = openPlace(changed(await inlineExample(), { '/companies/0/campaigns': [campaignTo('due', users)] }));
    for (const death of deathsAt('campaign status', [0, 1])) {
      expect(await stderrOfDeath(place.start([], environmentOf(death)))).toContain(lastWords(death));
    }

    await using service = await place.start();
    const caller = callerOf(service.url);
    let sent = await caller.messages('bot_wa');
    while (sent.length < users.length) sent = await caller.messages('bot_wa');
    expect(sent.map(({ userId }) => userId).toSorted()).toEqual(users);
  });
});
