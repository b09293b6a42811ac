/** The order service that the canvas order-status calls: the API of a shop, on this machine alone. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** The address that `settings.ordersUrl` of the workspace names. */
export const ordersHost = '127.0.0.1:4010';

/** How the service describes itself, so that another one on this machine recognises it. */
const description = JSON.stringify({ title: 'Orders of the example company of Hilo' });

/** Every number is that of an order; those that end in 7 were lost. */
export const createOrders = (): Server =>
  createServer(({ method, url = '' }, response) => {
    const answer = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    const [, number] = /^\/orders\/(\d[\d.]*)$/.exec(url) ?? [];
    if (method !== 'GET') answer(405, '{"error":"Only GET is answered"}');
    else if (url === '/') answer(200, description);
    else if (number === undefined) answer(404, '{"error":"There is only /orders/NUMBER"}');
    else answer(200, JSON.stringify({ state: number.endsWith('7') ? 'lost' : 'shipped' }));
  });

/**
 * Serves the orders until the process ends.
 *
 * @param at - `host:port`
 * @returns whether the orders are served there, by this process or by one like it; `false` when another program has the port
 */
export async function serveOrders(at: string): Promise<boolean> {
  const { hostname, port } = new URL(`http://${at}`);
  try {
    await once(createOrders().listen(Number(port), hostname).unref(), 'listening');
    return true;
  } catch {
    return areServedAt(at);
  }
}

async function areServedAt(at: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${at}/`, { signal: AbortSignal.timeout(2_000), redirect: 'error' });
    return (await response.text()) === description;
  } catch {
    return false;
  }
}
