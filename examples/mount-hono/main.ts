// A Hono server that has Hilo's webhooks at /workflows, and uses the engine beside them.
//   curl localhost:3000/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1 -H 'x-api-key: hk_acme_0123456789abcdef' \
//     -H 'content-type: application/json' -d '{ "user": { "id": "5215512345678" }, "number": "F-7", "amount": "120" }'
//   curl localhost:3000/customers/5215512345678/reminders
import { fileURLToPath } from 'node:url';
import { HiloError } from '@hilo/engine';
import { createGateway, defaultSettings, openService } from '@hilo/server';
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';

const workspace = fileURLToPath(new URL('../workspace/workspace.json', import.meta.url));
const service = await openService({ ...defaultSettings, data: process.env['HILO_DATA'] ?? './data', workspace });
const gateway = createGateway(service);

const app = new Hono<{ Bindings: HttpBindings }>();
app.all('/workflows/*', (c) => gateway.fetch(c.req.raw, c.env)); // the environment has the caller's address
app.get('/customers/:phone/reminders', async (c) => {
  const { results } = await service.store.executions.list('1', { userId: c.req.param('phone'), limit: 10 });
  return c.json(results.map(({ executionId, workflowId, state }) => ({ executionId, workflowId, status: state.status })));
});
app.delete('/reminders/:executionId', async (c) => {
  const { state } = await service.engine.cancel('1', c.req.param('executionId'), 'Paid in the shop');
  return c.json({ status: state.status });
});

// What the engine refuses has its own status: 404 for an execution that is not there, 409 for one that has ended.
app.onError((error, c) => {
  if (error instanceof HiloError) return c.json({ message: error.message }, error.status);
  console.error(error);
  return c.json({ message: 'Something went wrong' }, 500);
});

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, (address) => console.log('listening on', address));
process.once('SIGTERM', () => server.close(() => void service.close()));
