/** `npm start`: the service with the example company, and the order service that its bot calls. */
import { fileURLToPath } from 'node:url';
import { ordersHost, serveOrders } from './orders.ts';
import { serveWords } from './serve-words.ts';

const { words, warning } = await serveWords(process.argv.slice(2), process.env['HILO_EGRESS_ALLOW'], () => serveOrders(ordersHost));
if (warning !== undefined) process.stderr.write(`${warning}\n`);

const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
process.argv.splice(1, process.argv.length, program, ...words);
await import(program);
