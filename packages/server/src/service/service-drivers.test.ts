import { describe, expect, it } from 'vitest';
import { placeStore } from '../platform/database/store-place.ts';
import { configureDatabaseAccess } from './service-drivers.ts';

/** What a canvas gets that connects there, while the service keeps its data at this URL. */
async function connectionRefusal(databaseUrl: string | undefined, hostname: string, port: number): Promise<string> {
  const [data, egressAllow] = ['/nowhere', [`${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`]];
  const { sockets } = configureDatabaseAccess({ data, egressAllow }, placeStore({ data, databaseUrl }), {});
  const signal = AbortSignal.abort(); // a call that is not refused at once is aborted
  const asked = sockets.connect({ hostname, port, signal, scope: '1' });
  return asked.then(
    () => 'connected',
    (error: unknown) => String(error),
  );
}

describe('the way of canvases to databases', () => {
  it.each([
    ['postgres://u:p@10.0.0.5/db', '10.0.0.5', 5432],
    ['postgres://u:p@10.0.0.5:6000/db', '10.0.0.5', 6000],
    ['postgres://u:p@decoy/db?host=10.0.0.5', '10.0.0.5', 5432],
    ['postgres:///db?host=10.0.0.5&port=6000', '10.0.0.5', 6000],
    ['postgres://a/db?host=10.0.0.5,10.0.0.6', '10.0.0.6', 5432],
    ['postgresql://u:p@[fd00::1]:6000/db', 'fd00::1', 6000],
    ['postgres://u@%2Fvar%2Frun%2Fpostgresql/db', 'localhost', 5432],
    ['postgres://decoy/db?host=/tmp', 'localhost', 5432],
    ['postgres:///db', 'localhost', 5432],
  ])('never leads to Hilo’s own store: %s (T13)', async (databaseUrl, hostname, port) => {
    expect(await connectionRefusal(databaseUrl, hostname, port)).toContain(`${hostname}:${port} is where Hilo keeps its own data`);
  });

  it('leads elsewhere, though a URL names it as a decoy', async () => {
    expect(await connectionRefusal('postgres://u:p@decoy/db?host=10.0.0.5', 'decoy', 5432)).toContain('in time');
    expect(await connectionRefusal(undefined, 'localhost', 5432)).toContain('in time');
  });
});
