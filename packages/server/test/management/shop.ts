// A workflow that charges, says so and asks for an opinion; and customers who begin it.
import type { FakeManagement } from './fake-management.ts';

/** Charges, says so, and asks for an opinion. */
export const shop = (said: string, question = 'How was it?') => ({
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
    { id: 'charge', type: 'api', data: { method: 'POST', url: 'https://bank.example/charges', saveAs: '$context.charge' } },
    { id: 'receipt', type: 'message', data: { message: { type: 'text', text: said } } },
    {
      id: 'opinion',
      type: 'ask',
      data: { message: { type: 'text', text: question }, input: { kind: 'text' }, saveAs: '$context.opinion', timeout: 'P21D' },
    },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'charge' },
    { source: 'charge', sourceHandle: 'success', target: 'receipt' },
    { source: 'charge', sourceHandle: 'error', target: 'done' },
    { source: 'receipt', sourceHandle: 'sent', target: 'opinion' },
    { source: 'opinion', sourceHandle: 'answered', target: 'done' },
    { source: 'opinion', sourceHandle: 'timeout', target: 'done' },
  ],
});

/** A customer orders; the bank takes the money. */
export async function order({ service, drivers }: FakeManagement, customer: number): Promise<string> {
  drivers.answer({ status: 200, body: { id: `ch_${customer}` } });
  const { executionId } = await service.engine.receiveWebhook({
    companyId: '1',
    botId: 'bot_slack',
    workflowId: 'shop',
    nodeId: 'hook',
    route: 'production',
    channel: 'slack',
    request: { method: 'POST', body: { user: String(5_215_512_345_600 + customer) }, query: {}, headers: {} },
  });
  await service.engine.whenIdle();
  return executionId;
}
