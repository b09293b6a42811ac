import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundDestinations, createDialer, isDialerError } from '@hilo/drivers';

const orders = createServer((_request, response) => response.end('{"state":"shipped"}')).listen(0, '127.0.0.1');
await once(orders, 'listening');
const host = `127.0.0.1:${(orders.address() as AddressInfo).port}`;

const dialer = boundDestinations(createDialer({ allow: [host] }));
const { status, body } = await dialer.request({ method: 'GET', url: `http://${host}/orders/7`, timeoutMs: 5_000 });
console.log(status, Buffer.from(body).toString());

for (const url of ['http://2130706433:6379/', 'http://[::ffff:169.254.169.254]/', 'https://user:secret@api.test/']) {
  try {
    await dialer.request({ method: 'GET', url, timeoutMs: 5_000 });
  } catch (error) {
    if (isDialerError(error)) console.log(error.code, error.wasSent, error.message);
  }
}
await dialer.close();
orders.close();
