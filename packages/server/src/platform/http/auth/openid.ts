// The two pages of a login with OpenID Connect: one leads to the provider, and the other is where it leads back. They are there where the
// service is set up with a provider.
import type { Json } from '@hilo/engine/contract';
import { parseJsonText } from '@hilo/engine/contract';
import type { Context } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { z } from 'zod';
import type { HttpEnv } from '../context.ts';
import { findRootPath, renderPage } from '../page.ts';
import { readPageWords } from '../page-words.ts';
import type { KnownAccount } from './admin-auth.ts';

/** What a browser keeps while its person is with the provider, signed. */
const Begun = z.object({ verifier: z.string(), state: z.string(), nonce: z.string(), to: z.string() });
export type BegunLogin = z.output<typeof Begun>;

/** A provider that says who somebody is, and what they may do here. */
export interface OpenIdLogin {
  /** How people know it: its host. */
  readonly name: string;
  /** @returns where the provider asks, and what proves the way back @throws {OpenIdRefusal} where it cannot be reached */
  begin(to: string): Promise<{ readonly url: string; readonly begun: BegunLogin }>;
  /** @param search - the query of the address that the provider led back to @throws {OpenIdRefusal} with a sentence for the person */
  finish(search: string, begun: BegunLogin): Promise<KnownAccount>;
}

/** Why somebody is not let in, in words for them. */
export class OpenIdRefusal extends Error {
  override readonly name = 'OpenIdRefusal';
}

const cookieName = 'hilo_openid';
/** How long somebody may take at the provider. */
const begunS = 600;

interface CookieParts {
  readonly settings: { readonly adminToken: string; readonly publicUrl?: string | undefined };
}

const signingKey = ({ settings }: CookieParts): string => `hilo openid login ${settings.adminToken}`;

/** Provider and service are two sites: a stricter cookie would not come back with the person. */
const cookieOptions = ({ settings: { publicUrl = '' } }: CookieParts) =>
  ({ httpOnly: true, sameSite: 'Lax', path: '/', secure: URL.parse(publicUrl)?.protocol === 'https:' }) as const;

export async function keepBegun(c: Context<HttpEnv>, parts: CookieParts, begun: BegunLogin): Promise<void> {
  await setSignedCookie(c, cookieName, JSON.stringify(begun), signingKey(parts), { ...cookieOptions(parts), maxAge: begunS });
}

/** Takes what a login began with: it is of use once. */
export async function takeBegun(c: Context<HttpEnv>, parts: CookieParts): Promise<BegunLogin | undefined> {
  const text = await getSignedCookie(c, signingKey(parts), cookieName);
  deleteCookie(c, cookieName, cookieOptions(parts));
  if (text === undefined || text === false) return undefined;
  const kept: Json = parseJsonText(text);
  return Begun.safeParse(kept).data;
}

/** Goes on by a page of ours: a cookie of the strictest kind is not sent along the way from another site. */
export const renderArrival = (c: Context<HttpEnv>, to: string) => {
  const address = `${findRootPath(c)}${to}`;
  const { language, words } = readPageWords(c);
  return renderPage(c, 200, words.loggedIn, {
    language,
    shape: 'card',
    content: html`<p><a href="${address}">${words.goOn}</a></p>`,
    script: `location.replace(document.querySelector('a').href);`,
  });
};
