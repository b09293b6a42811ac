import { describe, expect, it } from 'vitest';
import { createSocketDialer } from '../src/index.ts';
import { codeOf, during } from './dialers.ts';
import { startTcp } from './local-servers.ts';

describe('a connection to a database', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1'],
  ])('never leads to the store of Hilo at %s by another name for %s (T13)', async (ownAddress, address) => {
    const { port } = await during(startTcp(() => undefined));
    const sockets = createSocketDialer({
      allow: [`other.test:${port}`],
      deny: [`own.test:${port}`],
      resolve: (hostname) => Promise.resolve([hostname === 'own.test' ? ownAddress : address]),
    });
    const { signal } = new AbortController();
    const connecting = sockets.connect({ hostname: 'other.test', port, signal, scope: '7' });
    expect(await codeOf(connecting)).toEqual(['EGRESS_REFUSED', false]);
  });
});
