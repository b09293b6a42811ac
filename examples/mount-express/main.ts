// An Express server that has Hilo's webhooks at /workflows, and uses the engine beside them.
//   curl localhost:3000/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1 -H 'x-api-key: hk_acme_0123456789abcdef' \
//     -H 'content-type: application/json' -d '{ "user": { "id": "5215512345678" }, "number": "F-7", "amount": "120" }'
//   curl localhost:3000/customers/5215512345678/reminders
import { fileURLToPath } from 'node:url';
import { HiloError } from '@hilo/engine';
import { createGateway, defaultSettings, openService } from '@hilo/server';
import { getRequestListener } from '@hono/node-server';
import express, { type ErrorRequestHandler } from 'express';

const workspace = fileURLToPath(new URL('../workspace/workspace.json', import.meta.url));
const service = await openService({ ...defaultSettings, data: process.env['HILO_DATA'] ?? './data', workspace });
const gateway = getRequestListener(createGateway(service).fetch);

const app = express();
// Before any parser of bodies: Hilo reads a request itself.
app.use('/workflows', (request, response) => {
  request.url = request.originalUrl; // Express removes the mount path
  void gateway(request, response);
});
app.use(express.json());
app.get('/customers/:phone/reminders', async (request, response) => {
  const { results } = await service.store.executions.list('1', { userId: request.params.phone, limit: 10 });
  response.json(results.map(({ executionId, workflowId, state }) => ({ executionId, workflowId, status: state.status })));
});
app.delete('/reminders/:executionId', async (request, response) => {
  const { state } = await service.engine.cancel('1', request.params.executionId, 'Paid in the shop');
  response.json({ status: state.status });
});

// What the engine refuses has its own status: 404 for an execution that is not there, 409 for one that has ended.
const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof HiloError) return void response.status(error.status).json({ message: error.message });
  console.error(error);
  response.status(500).json({ message: 'Something went wrong' });
};
app.use(refuse);

const server = app.listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening on', server.address()));
process.once('SIGTERM', () => server.close(() => void service.close()));
