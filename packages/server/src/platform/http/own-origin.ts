// Whether a request is for this service under a name of its own, and from no foreign page: against DNS rebinding and forged requests.
import type { Context, MiddlewareHandler } from 'hono';
import ipaddr from 'ipaddr.js';
import type { HttpEnv } from './context.ts';
import { HttpError } from './errors.ts';

/** The name that the service is set up with. */
interface Named {
  readonly settings: { readonly publicUrl?: string | undefined };
}

/**
 * Whether a request comes from a page of this origin, or from no page. Browsers send `Sec-Fetch-Site`, which no page can change; over
 * plain HTTP they leave it out, and `Origin` must be the requested address or the public one. Other clients send neither.
 */
export function isOfOurPages(c: Context<HttpEnv>, { settings: { publicUrl } }: Named): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = c.req.header('origin');
  return origin === undefined || isOwnOrigin(c, origin, publicUrl);
}

/**
 * Refuses what pages of other origins send, and what asks for another name than this service has: a page whose name was made to lead to
 * this machine asks under its own name. A name is judged where the service is told its own, and on connections of this machine; an
 * address is no name.
 */
export const requireOwnOrigin =
  ({ settings: { publicUrl } }: Named): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const { hostname } = new URL(c.req.url);
    const isJudged = publicUrl !== undefined || isOfThisMachine(c.env?.incoming?.socket?.localAddress);
    if (isJudged && !isAddress(hostname) && !isLocalName(hostname) && hostname !== URL.parse(publicUrl ?? '')?.hostname)
      throw foreign(`"${hostname}" is no name of this service: its public address is set with --public-url`);
    const origin = c.req.header('origin');
    const isLocal = [hostname, URL.parse(origin ?? '')?.hostname ?? ''].every((name) => isLocalName(name) || isOfThisMachine(name));
    const isForeignPage =
      origin === undefined ? c.req.header('sec-fetch-site') === 'cross-site' : !isLocal && !isOwnOrigin(c, origin, publicUrl);
    if (isForeignPage) throw foreign('A page of another origin sent this: only pages of this service may');
    return next();
  };

function isOwnOrigin(c: Context<HttpEnv>, origin: string, publicUrl: string | undefined): boolean {
  const { host } = URL.parse(origin) ?? {};
  return host !== undefined && (host === c.req.header('host')?.toLowerCase() || origin === URL.parse(publicUrl ?? '')?.origin);
}

const isLocalName = (name: string): boolean => /^(?:.+\.)?localhost\.?$/.test(name);

const bare = (name: string): string => name.replaceAll(/[[\]]/g, '');

const isAddress = (name: string): boolean => ipaddr.isValid(bare(name));

/** Whether an address is one of the loopback. */
const isOfThisMachine = (address = ''): boolean => isAddress(address) && ipaddr.process(bare(address)).range() === 'loopback';

const foreign = (message: string): HttpError => new HttpError(403, 'FORBIDDEN', message);
