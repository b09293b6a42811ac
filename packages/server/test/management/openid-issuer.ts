// A provider of OpenID Connect of another maker, on this machine, whose people have the claims that a test says.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const issuerClient = { oidcClientId: 'hilo', oidcClientSecret: 'secret-of-the-client' } as const;

/** A provider that runs. */
export interface Issuer extends AsyncDisposable {
  /** Its address. */
  readonly issuer: string;
  /** Says where it leads people back to. */
  leadsBackTo(redirectUri: string): void;
}

/** Starts a provider that asks everybody for a name, and for nothing that is compared with it. */
export async function startIssuer(people: ReadonlyMap<string, object>): Promise<Issuer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    leadsBackTo(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: issuerClient.oidcClientId, client_secret: issuerClient.oidcClientSecret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], profile: ['preferred_username', 'hilo'] },
        findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, ...people.get(id) }) }),
        cookies: { keys: ['one-key'] },
        features: { devInteractions: { enabled: true } },
      });
      provider.on('server_error', () => undefined);
      const answer = provider.callback();
      server.removeAllListeners('request').on('request', (request, response) => void answer(request, response));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
