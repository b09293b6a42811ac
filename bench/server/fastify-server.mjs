// Fastify with the same work by hand in one route. Nothing is kept.
import fastify from 'fastify';
import { answer } from './order.ts';

const server = fastify();
server.post('/order', async (request) => answer(request.body));
await server.listen({ port: 0, host: '127.0.0.1' });
console.log(`listening at http://127.0.0.1:${server.server.address().port}`);
