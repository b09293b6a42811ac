import type { Context, MiddlewareHandler } from 'hono';
import type { Service } from '../service/service.ts';
import { hasSession } from './admin-session.ts';
import type { HttpEnv } from './context.ts';
import type { FailedLogins } from './failed-logins.ts';
import { unauthorized } from './refusal.ts';
import { sameSecret } from './same-secret.ts';
import { isLocal, socketAddress } from './socket-address.ts';

type Doorkeeper = Pick<Service, 'settings' | 'clock'>;

/** Lets in operators: by the admin token, by the cookie of a login, or, while no token is set, from this machine alone (P27). */
export const adminDoor =
  (service: Doorkeeper, failedLogins: FailedLogins): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const credential = adminCredential(c, service);
    if (credential !== undefined) {
      c.set('credential', credential);
      return next();
    }
    if (c.req.header('authorization') !== undefined) await failedLogins.count(socketAddress(c), 'admin');
    throw unauthorized(
      service.settings.adminToken === undefined
        ? 'Without HILO_ADMIN_TOKEN this is open to requests from this machine alone: set it and send it as Authorization: Bearer'
        : 'Send the admin token as Authorization: Bearer',
    );
  };

/** What makes a request an operator's, or `undefined`. What a browser sends of itself counts only for our own pages (T20). */
export function adminCredential(c: Context<HttpEnv>, { settings: { adminToken }, clock }: Doorkeeper): string | undefined {
  if (adminToken === undefined) return isLocal(c) && isOfOurPages(c) ? 'this machine' : undefined;
  const bearer = /^Bearer +([\x21-\x7e]+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined) return sameSecret(bearer, adminToken) ? 'admin token' : undefined;
  return hasSession(c, adminToken, clock.now()) && isOfOurPages(c) ? 'admin session' : undefined;
}

/** Whether no page of another origin is behind a request: browsers say so, and other clients say nothing. */
export function isOfOurPages(c: Context<HttpEnv>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = c.req.header('origin');
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === c.req.header('host')?.toLowerCase());
}
