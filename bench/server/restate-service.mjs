// Restate handlers that take an order: `steps` journals each node as `ctx.run`, `handler` keeps the invocation alone. The
// Restate server calls them over HTTP/2. Started with the port to listen at.
import * as restate from '@restatedev/restate-sdk';
import { answer, answerOf, greet, isLarge, ship } from './order.ts';

const steps = async (context, order) => {
  const greeting = await context.run('greet', () => greet(order));
  const large = await context.run('isLarge', () => isLarge(order));
  const text = large ? await context.run('ship', () => ship(greeting, order)) : greeting;
  return answerOf(order, text);
};
const handler = async (_context, order) => answer(order);

const port = Number(process.argv[2]);
await restate.serve({ services: [restate.service({ name: 'order', handlers: { steps, handler } })], port });
console.log(`listening at http://127.0.0.1:${port}`);
