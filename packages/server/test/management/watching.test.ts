import { call, statementsOver } from '@hilo/stores';
import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { HttpEnv } from '../../src/platform/http/context.ts';
import { fakeManagement, type FakeManagement, pausing } from './fake-management.ts';
import { started } from './started.ts';

interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: { readonly [field: string]: unknown };
}

/** Reads a stream of events, each as it comes. */
async function* eventsOf(
  { service }: FakeManagement,
  query: string,
  headers: { readonly [name: string]: string } = {},
): AsyncGenerator<StreamEvent> {
  const response = await createManagement(service).request(`/events?${query}`, { headers });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const event = field('event');
      if (event !== undefined) yield { event, id: field('id'), data: JSON.parse(field('data') ?? '{}') as StreamEvent['data'] };
    }
  }
}

/** Lets the pause of the canvas be over, and its execution end. */
async function passAnHour({ clock, service }: FakeManagement): Promise<void> {
  const ended = new Promise<void>((resolve) => service.engine.on('execution.ended', () => resolve()));
  clock.advanceBy(3_600_000);
  await ended;
}

/** Lets all that is ready happen. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const quarantineAll = statementsOver<{ readonly executions: { status: string } }>()()((db) =>
  db.updateTable('executions').set({ status: 'quarantined' }),
);

async function next(stream: AsyncGenerator<StreamEvent>): Promise<StreamEvent> {
  const { value } = (await stream.next()) as { readonly value: StreamEvent };
  return value;
}

describe('an execution at a step of its history', () => {
  it('has the variables and the wait of then, and the last step is the execution as it is', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const executionId = await started(management);
    const { entries } = (await ask('GET', `/executions/${executionId}/history`)).body as {
      readonly entries: readonly { readonly step: number }[];
    };
    expect(entries.map(({ step }) => step)).toEqual(entries.map((_entry, index) => index + 1));
    const at = async (step: number | string) => ask('GET', `/executions/${executionId}/states/${step}`);
    const { body: execution } = (await ask('GET', `/executions/${executionId}`)) as {
      readonly body: { readonly variables: object; readonly wait: object };
    };
    expect((await at(entries.length)).body).toMatchObject({
      step: entries.length,
      nodeId: 'wait',
      variables: execution.variables,
      wait: execution.wait,
    });
    expect((await at(0)).body).toMatchObject({ step: 0, nodeId: null, wait: null });
    expect((await at(entries.length + 1)).status).toBe(404);
    expect((await at('-1')).status).toBe(404);

    await passAnHour(management);
    const { body: ended } = (await ask('GET', `/executions/${executionId}`)) as {
      readonly body: { readonly status: string; readonly variables: object };
    };
    expect(ended).toMatchObject({ status: 'completed', variables: { $context: { paid: true } } });
    const { entries: all } = (await ask('GET', `/executions/${executionId}/history`)).body as {
      readonly entries: readonly { readonly nodeId: string }[];
    };
    const states = await Promise.all(
      all.map(
        async (_entry, index) =>
          (await at(index + 1)).body as { readonly variables: { readonly $context?: object }; readonly wait: object | null },
      ),
    );
    const wrote = all.findIndex(({ nodeId }) => nodeId === 'keep');
    expect(states.map(({ variables }) => JSON.stringify(variables.$context ?? {}).includes('paid'))).toEqual(
      all.map((_entry, index) => index >= wrote),
    );
    expect(states.at(-1)).toMatchObject({ variables: ended.variables, wait: null });
    expect((await at(entries.length)).body).toMatchObject({ wait: { kind: 'timer', nodeId: 'wait' } });
  });

  it('keeps masked what a node masks', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    const nodes = pausing().nodes.map((node) => (node.id === 'hook' ? { ...node, data: { ...node.data, mask: true } } : node));
    await ask('PUT', '/workflows/pausing?companyId=1', pausing({ nodes }));
    await ask('POST', '/workflows/pausing/publish?companyId=1');
    const request = { method: 'POST', headers: {}, query: {}, body: { user: '51999000111', pin: 'canary' } };
    const hook = {
      companyId: '1',
      workflowId: 'pausing',
      nodeId: 'hook',
      route: 'production',
      channel: 'whatsapp',
      botId: 'bot_wa',
    } as const;
    const { executionId } = await service.engine.receiveWebhook({ ...hook, request });
    await service.engine.whenIdle();
    const { body } = await ask('GET', `/executions/${executionId}`);
    expect(JSON.stringify(body)).toContain('canary'); // the execution works with it
    for (const step of [0, 1]) {
      const state = await ask('GET', `/executions/${executionId}/states/${step}`);
      expect({ status: state.status, isTold: JSON.stringify(state.body).includes('canary') }).toEqual({ status: 200, isTold: false });
    }
  });
});

describe('events', () => {
  it('report each step of an execution, where it waits, and its end; a reconnected stream continues where it was', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const stream = eventsOf(management, `companyId=1&executionId=${executionId}`);
    const first = await next(stream);
    expect(first).toMatchObject({ event: 'execution.started', id: '1', data: { executionId, step: 1, nodeId: 'hook', port: 'new' } });
    const told = [first];
    while (told.at(-1)?.event !== 'execution.waiting') told.push(await next(stream));
    expect(told.at(-1)).toMatchObject({ data: { wait: { kind: 'timer', nodeId: 'wait' } } });

    // A stream ends after ten minutes, and the client reconnects for later events.
    await passAnHour(management);
    const rest: StreamEvent[] = [];
    for await (const event of stream) rest.push(event);
    const lastId = [...told, ...rest].findLast(({ id }) => id !== undefined)?.id ?? '';
    if (rest.at(-1)?.event !== 'execution.ended')
      for await (const event of eventsOf(management, `executionId=${executionId}`, { 'last-event-id': lastId })) rest.push(event);
    const isNews = ({ event }: StreamEvent) => event !== 'execution.waiting'; // repeated by the second stream
    expect(rest.filter(isNews).map(({ event, data }) => `${event} ${String(data['nodeId'] ?? data['status'])}`)).toEqual([
      'visit.left wait',
      'visit.left keep',
      'step done',
      'execution.ended completed',
    ]);
    const ids = [...told, ...rest].flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
    expect(ids).toEqual(ids.map((_id, index) => index + 1));

    const again: StreamEvent[] = [];
    for await (const event of eventsOf(management, `executionId=${executionId}`, { 'last-event-id': String(ids.length - 1) }))
      again.push(event);
    expect(again).toEqual(rest.slice(-2));
  });

  it('report commits of another process, by polling each second', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const known = await started(management);
    const stream = eventsOf(management, 'companyId=1&workflowId=pausing');
    const pending = next(stream);
    await settle(); // the first poll
    await ask('PUT', '/workflows/pausing?companyId=1', pausing({ name: 'Renamed' })); // nothing of this is an event of the engine
    management.clock.advanceBy(1_000);
    expect(await pending).toMatchObject({ event: 'draft.saved', data: { workflowId: 'pausing' } });
    const executionId = await started(management, '51999000222');
    const told = [await next(stream)];
    while (told.at(-1)?.event !== 'execution.waiting') told.push(await next(stream));
    const of = (event: string) => told.find((one) => one.event === event)?.data;
    expect(of('execution.started')).toMatchObject({ executionId });
    expect(of('execution.waiting')).toMatchObject({ executionId, status: 'waiting' });
    expect(told.some(({ data }) => data['executionId'] === known)).toBe(false);
    await stream.return(undefined);
  });

  it('do not call an execution ended that is in quarantine', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    await started(management);
    const stream = eventsOf(management, 'companyId=1&workflowId=pausing');
    const pending = next(stream);
    await settle();
    await service.store.runner.write([call(quarantineAll, {})]);
    await ask('PUT', '/workflows/pausing?companyId=1', pausing({ name: 'Renamed' }));
    management.clock.advanceBy(1_000);
    expect((await pending).event).toBe('draft.saved');
    await stream.return(undefined);
  });

  it('end where the store does not answer, with a line in the log, and leave their place', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const warnings: string[] = [];
    const { engine } = management.service;
    let reads = 0;
    const execution: typeof engine.execution = async (...named) => {
      reads += 1;
      if (reads % 2 === 0) throw new Error('The disk is full');
      return engine.execution(...named);
    };
    const log = { info: () => {}, warn: (_fields: object, text: string) => void warnings.push(text), error: () => {} };
    const app = createManagement({ ...management.service, log, engine: { ...engine, execution } });
    for (let stream = 0; stream <= 200; stream += 1) {
      const answer = await app.request(`/events?executionId=${executionId}`);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
    }
    expect(new Set(warnings)).toEqual(new Set(['A stream of events ended early']));
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it('contain requested events of this company alone, and are at most 200 at once for one operator', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    const executionId = await started(management);
    expect((await ask('GET', '/events?companyId=1')).status).toBe(422);
    expect((await ask('GET', '/events?executionId=nobody')).status).toBe(404);
    expect((await ask('GET', `/events?companyId=2&executionId=${executionId}`)).status).toBe(404);
    const app = new Hono<HttpEnv>();
    app.use((c, next) => {
      c.set('credential', c.req.header('x-operator') ?? 'admin token');
      return next();
    });
    app.route('/', createManagement(service));
    const streams = await Promise.all(Array.from({ length: 200 }, async () => app.request(`/events?executionId=${executionId}`)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await app.request(`/events?executionId=${executionId}`)).status).toBe(503);
    const beside = await app.request(`/events?executionId=${executionId}`, { headers: { 'x-operator': 'olga' } });
    expect(beside.status).toBe(200);
    await beside.body?.cancel();
    await Promise.all(streams.map(async ({ body }) => body?.cancel()));
    expect((await app.request(`/events?executionId=${executionId}`)).status).toBe(200);
  });
});
