import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { HttpEnv } from './context.ts';
import { answerErrors } from './errors.ts';
import { requireOwnOrigin } from './own-origin.ts';

/** The status of a request to a service on this machine, or on another. */
async function asked(
  host: string,
  headers: { readonly [name: string]: string },
  { publicUrl, localAddress = '127.0.0.1' }: { readonly publicUrl?: string; readonly localAddress?: string } = {},
): Promise<number> {
  const app = new Hono<HttpEnv>();
  app.onError(answerErrors({ info() {}, warn() {}, error() {} }));
  app.use(requireOwnOrigin({ settings: { publicUrl } }));
  app.get('/', (c) => c.text('ok'));
  return (await app.request(`http://${host}/`, { headers: { host, ...headers } }, { incoming: { socket: { localAddress } } })).status;
}

const named = { publicUrl: 'https://bots.example/hilo' };
const elsewhere = { localAddress: '198.51.100.7' };

it.each([
  ['no page, by a name of this machine', 'localhost:3000', {}, {}, 200],
  ['no page, by an address', '127.0.0.1:3000', {}, {}, 200],
  ['no page, by an address of IPv6', '[::1]:3000', {}, {}, 200],
  ['no page, by a name that was made to lead here', 'evil.example:3000', {}, {}, 403],
  ['a page of that name', 'evil.example:3000', { origin: 'http://evil.example:3000' }, {}, 403],
  ['a page of that name, by its own word', 'evil.example:3000', { 'sec-fetch-site': 'same-origin' }, {}, 403],
  ['a page of a name that begins like this machine', 'localhost.evil.example', {}, {}, 403],
  ['a page of this machine', 'localhost:3000', { origin: 'http://localhost:3000' }, {}, 200],
  [
    'a page of this machine on another port',
    'localhost:3000',
    { origin: 'http://127.0.0.1:6274', 'sec-fetch-site': 'cross-site' },
    {},
    200,
  ],
  ['a page of the internet', 'localhost:3000', { origin: 'https://evil.example' }, {}, 403],
  ['a page of the internet without an origin', 'localhost:3000', { 'sec-fetch-site': 'cross-site' }, {}, 403],
  ['a page without an origin', 'localhost:3000', { origin: 'null' }, {}, 403],
  ['what is no origin', 'localhost:3000', { origin: 'nonsense' }, {}, 403],
  ['no page, by the public name', 'bots.example', {}, named, 200],
  ['a page of the public address', 'bots.example', { origin: 'https://bots.example' }, named, 200],
  ['a page of the public address, behind a proxy that keeps no name', '127.0.0.1:3000', { origin: 'https://bots.example' }, named, 200],
  ['a page of a neighbour of the public address', 'bots.example', { origin: 'https://evil.bots.example' }, named, 403],
  ['no page, by another name than the public one', 'other.example', {}, { ...named, ...elsewhere }, 403],
  ['no page, by any name, to a service that was told none', 'bots.example', {}, elsewhere, 200],
  ['a page of any name, to a service that was told none', 'bots.example', { origin: 'https://bots.example' }, elsewhere, 200],
  ['a page of another name, to a service that was told none', 'bots.example', { origin: 'https://evil.example' }, elsewhere, 403],
])('judges %s: %s, %j', async (_what, host, headers, about, status) => {
  expect(await asked(host, headers, about)).toBe(status);
});
