// A DBOS workflow behind a bare `node:http` server: `/steps` makes a durable step of each node, `/workflow` keeps the workflow
// alone. Started with the URL of its PostgreSQL database.
import { createServer } from 'node:http';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { answer, answerOf, greet, isLarge, ship } from './order.ts';

DBOS.setConfig({ name: 'bench', systemDatabaseUrl: process.argv[2], runAdminServer: false, logLevel: 'error', enableOTLP: false });

const steps = DBOS.registerWorkflow(
  async (order) => {
    const greeting = await DBOS.runStep(async () => greet(order), { name: 'greet' });
    const large = await DBOS.runStep(async () => isLarge(order), { name: 'isLarge' });
    const text = large ? await DBOS.runStep(async () => ship(greeting, order), { name: 'ship' }) : greeting;
    return answerOf(order, text);
  },
  { name: 'steps' },
);
const workflow = DBOS.registerWorkflow(async (order) => answer(order), { name: 'workflow' });
await DBOS.launch();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const order = JSON.parse(Buffer.concat(chunks).toString());
    (request.url === '/steps' ? steps : workflow)(order).then(
      (answered) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${server.address().port}`));
