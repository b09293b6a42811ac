import { expect, it } from 'vitest';
import { allProgress, openWith, passTime, templatesTo } from './campaigns-progress.ts';
import { type Answer, campaignTo, callOf, phones } from './campaigns-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const rounds = 20;
const perRound = 10;

/** When a round's campaigns are due. */
const dueAt = (round: number): string => new Date(Date.parse('2031-03-03T09:00:00Z') + round * 1_000).toISOString();

describeOverEachStore('a change against the start of a campaign', (on) => {
  it(
    'either succeeds and the campaign reaches no recipient, or is refused and it reaches each once: 200 tries (P6, CAM-09, CAM-12)',
    on(async ({ open, clock }) => {
      const users = phones(rounds * perRound);
      const campaigns = users.map((user, index) =>
        campaignTo(`c${index}`, [user], { status: 'SCHEDULED', scheduledAt: dueAt(1 + Math.floor(index / perRound)) }),
      );
      const service = await openWith({ open }, campaigns);
      const services = service.store.durability.database === 'postgres' ? [service, await open()] : [service];
      const calls = services.map(callOf);
      const answers: Promise<Answer>[] = [];
      const change = (index: number): void => {
        const call = calls[index % calls.length];
        if (call === undefined) throw new Error('There is no service');
        answers[index] =
          index % 2 === 0
            ? call(`DELETE /v1/campaigns/c${index}`)
            : call(`PUT /v1/campaigns/c${index}`, { body: { scheduledAt: '2040-01-01T00:00:00Z' } });
      };
      for (let round = 0; round < rounds; round += 1) {
        const ofRound = users.map((_, index) => index).slice(round * perRound, (round + 1) * perRound);
        const [before, after] = [ofRound.slice(0, round % (perRound + 1)), ofRound.slice(round % (perRound + 1))];
        before.forEach(change);
        clock.advanceBy(1_000); // polling for due campaigns begins here
        after.forEach(change);
        await Promise.all(answers.slice(0, (round + 1) * perRound));
      }
      const answered = await Promise.all(answers);
      const refused = answered.flatMap(({ status }, index) => (status === 422 ? [index] : []));
      const nobodySends = async (): Promise<boolean> =>
        ![...(await allProgress(service)).values()].some(
          ({ id, status }) => !['CANCELLED', 'COMPLETED'].includes(status) && refused.includes(Number(id.slice(1))),
        );
      while (!(await nobodySends())) await passTime(clock, 1_000);
      await passTime(clock, 60_000);

      const found = await allProgress(service);
      const sent = await templatesTo(service);
      answered.forEach(({ status }, index) => {
        const done = index % 2 === 0 ? 'CANCELLED' : 'SCHEDULED';
        expect({ index, status: found.get(`c${index}`)?.status }).toEqual({ index, status: status === 200 ? done : 'COMPLETED' });
        expect(sent.filter((user) => user === users[index])).toHaveLength(status === 200 ? 0 : 1);
      });
      expect(answered.every(({ status }) => status === 200 || status === 422)).toBe(true);
      expect(answered.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(refused.length).toBeGreaterThan(0);
    }),
    120_000,
  );
});
