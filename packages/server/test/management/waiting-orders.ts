// Orders that wait for an event in one version of their workflow, while another one is published.
import { expect } from 'vitest';
import { type FakeManagement, fakeManagement } from './fake-management.ts';

/** Names the company. */
export const where = 'companyId=1';

/** Waits for an event, and then says something of it; the node that waits may be masked, or have another name. */
export const order = ({ said = '{{$context.card.number}}', mask = false, id = 'card' } = {}) => ({
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id, type: 'wait-event', data: { name: 'card', saveAs: '$context.card', timeout: 'P1D', ...(mask && { mask }) } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.said', value: said }] } },
    { id: 'later', type: 'delay', data: { duration: 'P1D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: id },
    { source: id, sourceHandle: 'received', target: 'keep' },
    { source: id, sourceHandle: 'timeout', target: 'done' },
    { source: 'keep', target: 'later' },
    { source: 'later', sourceHandle: 'elapsed', target: 'done' },
  ],
});

export async function publish({ ask }: FakeManagement, canvas: object): Promise<void> {
  expect(await ask('PUT', `/workflows/order?${where}`, canvas)).toMatchObject({ status: 200 });
  expect(await ask('POST', `/workflows/order/publish?${where}`)).toMatchObject({ status: 200 });
}

/** @returns the id of the execution, which waits */
export async function start({ ask, service }: FakeManagement): Promise<string> {
  const { body } = await ask('POST', `/workflows/order/start?${where}`);
  await service.engine.whenIdle();
  return (body as { readonly executionId: string }).executionId;
}

/** With executions that wait in version 1, and a second version. */
export async function waiting(count: number, later: object = order({ said: 'thanks' }), first: object = order()) {
  const management = await fakeManagement();
  await publish(management, first);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await start(management));
  await publish(management, later);
  return { management, ids };
}
