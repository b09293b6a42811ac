// Two processes over one PostgreSQL meet new persons at once, each by another of their ids: each has one contact, and one lane (UID-06).
import { createEngine, type Engine } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DurableStore } from '../../packages/stores/src/index.ts';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { createDatabase } from '../../packages/stores/test/shared-postgres.ts';

const asking = {
  schemaVersion: 1,
  id: 'ask',
  name: 'Ask',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'shown', type: 'ask', data: { message: { type: 'text', text: 'Now?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'shown' },
    { source: 'shown', sourceHandle: 'answered', target: 'done' },
  ],
};

let stores: readonly DurableStore[];
let engines: readonly Engine[];

beforeAll(async () => {
  const url = await createDatabase();
  stores = await Promise.all([0, 1].map(() => openPostgresStore({ url, schema: 'meetings' })));
  engines = stores.map((store) =>
    createEngine({
      nodes: standardNodes,
      drivers: [drive(sendMessage, (_request, { idempotencyKey }) => ({ kind: 'sent', messageId: idempotencyKey }))],
      store,
      directory: { company: () => undefined, bot: () => ({ channel: 'whatsapp' }) },
    }),
  );
  for (const engine of engines) await engine.start();
  await engines[0]?.company('acme').publish(asking);
});

afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  await Promise.all(stores.map((store) => store.close()));
});

describe('new persons whom two processes meet at once', () => {
  it('have one contact each, and what they write at both is one conversation', async () => {
    const people = Array.from({ length: 30 }, (_, index) => ({ phone: `52155000000${10 + index}`, bsuid: `MX.person${10 + index}` }));
    const say = async (
      engine: Engine | undefined,
      deliveryId: string,
      user: { readonly id: string; readonly phone?: string; readonly bsuid?: string },
    ) => engine?.company('acme').message({ bot: 'bot', deliveryId, user, message: { type: 'text', text: 'Hi' } });
    const coming = people.flatMap(({ phone, bsuid }, index) => [
      say(engines[index % 2], `${phone} whole`, { id: phone, phone, bsuid }),
      say(
        engines[(index + 1) % 2],
        `${phone} short`,
        index % 3 === 0 ? { id: phone.replace('521', '52'), phone: phone.replace('521', '52') } : { id: bsuid, bsuid },
      ),
    ]);
    await Promise.all(coming);
    const executions = stores[0]?.executions;
    for (const { phone, bsuid } of people) {
      const known = await Promise.all([phone, bsuid].map(async (id) => executions?.contact('acme', 'bot', [id])));
      expect(new Set(known.map((contact) => contact?.userId))).toEqual(new Set([known[0]?.userId ?? 'nobody']));
    }
    await vi.waitFor(
      async () => {
        const { results } = await engines[0]!.company('acme').executions({ limit: 1_000 });
        expect(new Set(results.map(({ lane }) => lane)).size).toBe(people.length);
        expect(results.map(({ state }) => state.status)).toEqual(people.map(() => 'completed'));
      },
      { timeout: 60_000, interval: 100 },
    );
  });
});
