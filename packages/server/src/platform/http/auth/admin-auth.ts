import type { Context, MiddlewareHandler } from 'hono';
import type { Operator } from '../../../host-parts.ts';
import type { Service } from '../../../service.ts';
import { hasSession } from './admin-session.ts';
import type { HttpEnv } from '../context.ts';
import type { FailedLogins } from './failed-logins.ts';
import { unauthorized } from '../refusal.ts';
import { sameSecret } from './same-secret.ts';
import { socketAddress } from '../socket-address.ts';

type Doorkeeper = Pick<Service, 'settings' | 'clock' | 'store' | 'log' | 'authorize'>;

/**
 * Lets in operators: by the host's own authentication, by the admin token, or by the cookie of a login (P27). Everybody is asked, from this machine too: a proxy
 * or a forwarded port in front makes the whole world look local (T25).
 */
export const adminDoor =
  (service: Doorkeeper, failedLogins: FailedLogins): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const operator = await operatorOf(c, service);
    if (operator !== undefined) {
      c.set('credential', `operator ${operator.name}`);
      return next();
    }
    const bearer = bearerIn(c);
    const isRight = () => bearer !== undefined && sameSecret(bearer, service.settings.adminToken);
    if (bearer !== undefined && (await failedLogins.attempt(socketAddress(c), 'admin', isRight))) c.set('credential', 'admin token');
    else if (bearer === undefined && (await isLoggedIn(c, service))) c.set('credential', 'admin session');
    else
      throw unauthorized(
        'Send the admin token as Authorization: Bearer. It is HILO_ADMIN_TOKEN, or without that in the file admin.token of the data directory',
      );
    return next();
  };

/** Whom the host lets in (T20). A host that cannot say lets nobody in. */
export async function operatorOf(c: Context<HttpEnv>, service: Doorkeeper): Promise<Operator | undefined> {
  const { authorize, log } = service;
  if (authorize === undefined || (c.req.header('authorization') === undefined && !isOfOurPages(c, service))) return undefined;
  try {
    return await authorize(new Request(c.req.url, { method: c.req.method, headers: c.req.raw.headers }));
  } catch (error) {
    log.warn({ error: String(error) }, 'The authorize of the host failed: nobody is let in by it');
    return undefined;
  }
}

/** What the request gives as its token, well-formed or not; a scheme of somebody else's is none. */
const bearerIn = (c: Context<HttpEnv>): string | undefined => /^Bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];

/** Whether a request comes from a page of ours in a browser that has logged in (T20). */
export const isLoggedIn = async (c: Context<HttpEnv>, service: Doorkeeper): Promise<boolean> =>
  isOfOurPages(c, service) && (await hasSession(c, service));

/**
 * Whether no page of another origin is behind a request. Browsers say so in `Sec-Fetch-Site`, which no page can change; over
 * plain HTTP they leave it out, and `Origin` must be the address that was asked, or the public one. Other clients send neither.
 */
export function isOfOurPages(c: Context<HttpEnv>, { settings: { publicUrl } }: Pick<Doorkeeper, 'settings'>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = c.req.header('origin');
  if (origin === undefined) return true;
  const { host } = URL.parse(origin) ?? {};
  return host !== undefined && (host === c.req.header('host')?.toLowerCase() || origin === URL.parse(publicUrl ?? '')?.origin);
}
