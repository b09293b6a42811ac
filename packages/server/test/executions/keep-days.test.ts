// What a company keeps for less long than the service: removed after its own days, and refused where it is longer.
import { call, encodeText } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { statement } from '../../src/platform/database/schema.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { pruneCompanies } from '../../src/executions/keep-days.ts';
import { companyOf, plantedPerson, write } from '../contacts/erasure-stage.ts';
import { withPlace } from '../data/open-for-test.ts';

const ana = plantedPerson('51999000111', 'Ana');
const dayMs = 86_400_000;

const countMessages = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId),
);

async function leftIn(service: RunningService): Promise<{ readonly executions: number; readonly messages: number }> {
  const { results } = await service.company('1').executions({ limit: 10 });
  const counted = await service.store.runner.readOne(call(countMessages, { companyId: encodeText('1') }));
  return { executions: results.length, messages: Number(counted?.count) };
}

describe('keepDays of a company', () => {
  it(
    'removes ended executions and messages at their own day and not before, and leaves what is open',
    withPlace(async (place) => {
      const service = await place.open();
      const keepDays = { messages: 3, histories: 2 };
      await service.importWorkspace({ workspace: { companies: [companyOf([ana], { keepDays })] } });
      expect(JSON.stringify(await service.exportWorkspace())).toContain(JSON.stringify(keepDays));
      await write(service, ana, { type: 'text', text: 'hello' });
      await service.engine.whenIdle();
      const { results } = await service.company('1').executions({ limit: 1 });
      const endedMs = place.clock.now();
      await service.company('1').cancel(results[0]?.executionId ?? '');
      await write(service, ana, { type: 'text', text: 'hello' }, 'bot_web');
      await service.engine.whenIdle();
      const { messages } = await leftIn(service);
      const pruneAt = (nowMs: number) => pruneCompanies(service.store, { nowMs, onlyExported: false, exceptCompanies: [] });
      expect(await pruneAt(endedMs + 2 * dayMs - 1)).toEqual({ executions: 0, messages: 0 });
      expect(await pruneAt(endedMs + 2 * dayMs)).toEqual({ executions: 1, messages: 0 });
      expect(await pruneCompanies(service.store, { nowMs: endedMs + 9 * dayMs, onlyExported: false, exceptCompanies: ['1'] })).toEqual({
        executions: 0,
        messages: 0,
      });
      expect(await pruneAt(place.clock.now() + 3 * dayMs)).toEqual({ executions: 0, messages });
      expect(await leftIn(service)).toEqual({ executions: 1, messages: 0 });
    }),
  );

  it.each([
    [{ histories: 31 }, 'the service removes them after 30'],
    [{ histories: 0 }, 'histories'],
    [{ messages: 1.5 }, 'messages'],
    [{ forms: 3 }, 'forms'],
  ])('refuses %j with a sentence', async (keepDays, sentence) => {
    await withPlace(async (place) => {
      const service = await place.open();
      await expect(service.importWorkspace({ workspace: { companies: [companyOf([ana], { keepDays })] } })).rejects.toMatchObject({
        code: 'WORKSPACE_REFUSED',
        message: expect.stringContaining(sentence) as string,
      });
    })();
  });

  it(
    'takes as many days as the service',
    withPlace(async (place) => {
      const service = await place.open();
      const companies = [companyOf([ana], { keepDays: { histories: 30 } })];
      await expect(service.importWorkspace({ workspace: { companies } })).resolves.toBeDefined();
    }),
  );
});
