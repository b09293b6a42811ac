// A Fastify server that has Hilo's webhooks at /workflows, and uses the engine beside them.
//   curl localhost:3000/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1 -H 'x-api-key: hk_acme_0123456789abcdef' \
//     -H 'content-type: application/json' -d '{ "user": { "id": "5215512345678" }, "number": "F-7", "amount": "120" }'
//   curl localhost:3000/customers/5215512345678/reminders
import { fileURLToPath } from 'node:url';
import { createGateway, defaultSettings, openService } from '@hilo/server';
import { getRequestListener } from '@hono/node-server';
import fastify from 'fastify';

const workspace = fileURLToPath(new URL('../workspace/workspace.json', import.meta.url));
const service = await openService({ ...defaultSettings, data: process.env['HILO_DATA'] ?? './data', workspace });
const gateway = getRequestListener(createGateway(service).fetch);

const app = fastify();
await app.register((hilo, _options, done) => {
  hilo.removeAllContentTypeParsers(); // Hilo reads a request itself
  hilo.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
  hilo.all('/workflows/*', (request, reply) => {
    reply.hijack();
    void gateway(request.raw, reply.raw);
  });
  done();
});
app.get<{ Params: { phone: string } }>('/customers/:phone/reminders', async ({ params }) => {
  const { results } = await service.store.executions.list('1', { userId: params.phone, limit: 10 });
  return results.map(({ executionId, workflowId, state }) => ({ executionId, workflowId, status: state.status }));
});
app.delete<{ Params: { executionId: string } }>('/reminders/:executionId', async ({ params }) => {
  const { state } = await service.engine.cancel('1', params.executionId, 'Paid in the shop');
  return { status: state.status };
});

console.log('listening on', await app.listen({ port: Number(process.env['PORT'] ?? 3000) }));
process.once('SIGTERM', () => void app.close().then(() => service.close()));
