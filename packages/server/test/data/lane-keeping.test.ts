import type { CreateLaneRuntime } from '@hilo/engine/runtime-kit';
import { commit, executionRecord } from '@hilo/testing/contracts';
import { describe, expect, it } from 'vitest';
import type { ServiceRuntime } from '../../src/index.ts';
import { exampleWorkspace, withPlace } from './open-for-test.ts';

const call = {
  companyId: '1',
  workflowId: 'payment-reminder',
  nodeId: 'wh1',
  route: 'production',
  channel: 'whatsapp',
  botId: 'bot_wa',
  request: { method: 'POST', headers: {}, query: {}, body: { user: { id: '5215512345678' }, number: 'F-1', amount: 30 } },
} as const;

/** A runtime that keeps nothing: enough to ask who may. */
const createElsewhere: CreateLaneRuntime = () => ({
  accept: () => Promise.reject(new Error('Nothing is asked of it here')),
  start: async () => undefined,
  stop: async () => undefined,
  whenIdle: async () => undefined,
  activity: () => ({ working: 0, blocked: 0 }),
});
const elsewhere: ServiceRuntime = {
  name: 'elsewhere',
  check: async () => undefined,
  asReadModel: (store) => store,
  create: () => createElsewhere,
};

describe('what keeps the executions of a data directory', () => {
  it(
    'is not changed while executions are open: they would stall in one, or continue in both',
    withPlace(async ({ open, clock }) => {
      const before = await open({ workspace: exampleWorkspace });
      const { executionId } = await before.engine.receiveWebhook(call);
      await before.close();
      await expect(open({ laneRuntime: elsewhere })).rejects.toThrow('this process kept without a runtime: leave --runtime out');
      clock.advanceBy(4 * 86_400_000);
      const after = await open();
      await after.engine.cancel('1', executionId);
      await after.close();
      await (await open({ laneRuntime: elsewhere })).close();
    }),
  );

  it(
    'is remembered: another is refused while it has executions, and a read-only command advances none',
    withPlace(async ({ open }) => {
      const before = await open({ workspace: exampleWorkspace });
      await before.close();
      const kept = await open({ laneRuntime: elsewhere });
      const record = executionRecord({ companyId: '1' });
      await commit(kept.store.executions, { saves: [record] });
      await kept.close();
      await expect(open()).rejects.toThrow('the runtime "elsewhere" keeps: give --runtime elsewhere');
      const looking = await open({}, { runs: false });
      expect(await looking.engine.execution('1', record.executionId)).toMatchObject({ executionId: record.executionId });
      await expect(looking.engine.cancel('1', record.executionId)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }),
  );

  it(
    'is told whether executions are open: its data must be there then',
    withPlace(async ({ open }) => {
      const told: Promise<boolean>[] = [];
      const laneRuntime: ServiceRuntime = {
        ...elsewhere,
        create({ hasOpenWork }) {
          told.push(hasOpenWork());
          return createElsewhere;
        },
      };
      await (await open({ laneRuntime, workspace: exampleWorkspace })).close();
      const kept = await open({ laneRuntime });
      await commit(kept.store.executions, { saves: [executionRecord({ companyId: '1' })] });
      await kept.close();
      await (await open({ laneRuntime })).close();
      expect(await Promise.all(told)).toEqual([false, false, true]);
    }),
  );

  it(
    'leaves nothing at work behind a start that fails',
    withPlace(async ({ open, clock }) => {
      const broken: CreateLaneRuntime = (context) => ({
        ...createElsewhere(context),
        start: () => Promise.reject(new Error('It cannot begin')),
      });
      await expect(open({ laneRuntime: { ...elsewhere, create: () => broken } })).rejects.toThrow('It cannot begin');
      expect(clock.nextMs()).toBeUndefined();
    }),
  );

  it(
    'is not begun where it cannot be, and nothing is made',
    withPlace(async ({ open }) => {
      const check = (): Promise<void> => Promise.reject(new Error('It is not installed'));
      await expect(open({ laneRuntime: { ...elsewhere, check } })).rejects.toThrow('It is not installed');
      const asked: { readonly hasOthers: boolean }[] = [];
      const shared = async (place: { readonly hasOthers: boolean }): Promise<void> => {
        asked.push(place);
        throw new Error('It is not shared');
      };
      const databaseUrl = 'postgres://localhost/hilo';
      await expect(open({ laneRuntime: { ...elsewhere, check: shared }, databaseUrl })).rejects.toThrow('It is not shared');
      expect(asked).toEqual([{ hasOthers: true }]);
    }),
  );
});
