// People log in with OpenID Connect: a provider says who they are, and a claim of theirs what they may do here. Each is an account of the
// service, named after what the provider calls them and after its own id of them, which alone never passes to somebody else.
import { createHash } from 'node:crypto';
import { createDialer, isDialerError } from '@hilo/drivers';
import { type Clock, tidyName } from '@hilo/engine/contract';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import type { Logger } from '../platform/logging/logger.ts';
import { OpenIdRefusal, type OpenIdLogin } from '../platform/http/auth/openid.ts';
import { formatHostAndPort, type PublicUrl } from '../platform/public-url.ts';
import type { Accounts, Grant } from './accounts.ts';
import { type Role, roleNames } from './roles.ts';

/** The settings of a provider. */
export interface OpenIdSettings {
  readonly oidcIssuer?: string | undefined;
  readonly oidcClientId?: string | undefined;
  readonly oidcClientSecret?: string | undefined;
  /** The claim that says what somebody may do; `hilo`, when undefined. */
  readonly oidcClaim?: string | undefined;
  /** What is asked for; `openid profile email`, when undefined. */
  readonly oidcScope?: string | undefined;
  readonly egressAllow: readonly string[];
}

interface OpenIdParts {
  readonly accounts: Pick<Accounts, 'saveUser' | 'ofSession'>;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly ca: string | undefined;
}

const timeoutMs = 15_000;
/** Where the provider leads back to, below the public address. */
const callbackPath = '/admin/v1/login/openid/callback';

const KnownRole = z.enum(roleNames);
/** Whole, or as groups such as `editor:1` and `viewer:*`: providers have lists of those. */
const WholeGrant = z.object({
  roles: z.array(KnownRole).min(1),
  companies: z.union([z.literal('all'), z.array(z.union([z.string().min(1), z.int().transform(String)])).min(1)]),
});

/** What a claim lets somebody do; `undefined` for nothing at all. Groups that are not ours are passed over. */
export function readGrant(claim: unknown): Grant | undefined {
  const whole = WholeGrant.safeParse(claim);
  if (whole.success) return whole.data;
  if (!Array.isArray(claim) && typeof claim !== 'string') return undefined;
  const rolesIn = new Map<string, Set<Role>>();
  for (const text of [claim].flat()) {
    const [, role, company] = typeof text === 'string' ? (/^([a-z]+):(.+)$/.exec(text) ?? []) : [];
    const known = KnownRole.safeParse(role);
    if (known.success && company !== undefined) rolesIn.set(company, (rolesIn.get(company) ?? new Set()).add(known.data));
  }
  const listed = (roles: ReadonlySet<Role>): readonly Role[] => roleNames.filter((role) => roles.has(role));
  // Companies with the same roles belong together; `*` stands beside them.
  const alike = Map.groupBy(rolesIn, ([company, roles]) => JSON.stringify([company === '*', listed(roles)]));
  const grants = [...alike.values()].flatMap(([first, ...more]): readonly Omit<Grant, 'grants'>[] => {
    if (first === undefined) return [];
    const [company, roles] = first;
    return [{ roles: listed(roles), companies: company === '*' ? 'all' : [company, ...more.map(([other]) => other)] }];
  });
  const [only, ...others] = grants;
  if (only === undefined || others.length === 0) return only;
  const all = [...rolesIn.keys()];
  return {
    roles: roleNames.filter((role) => grants.some(({ roles }) => roles.includes(role))),
    companies: all.includes('*') ? 'all' : all,
    grants,
  };
}

/** A name that an account may have: readable, and of this person alone. */
export function nameAccount(issuer: string, claims: { readonly sub: string; readonly [claim: string]: unknown }): string {
  const said = [claims['preferred_username'], claims['email'], claims['name']].flatMap((one) =>
    typeof one === 'string' && one !== '' ? [one] : [],
  );
  const tidy = tidyName(said[0] ?? 'user')
    .replaceAll(/[^\p{L}\p{N}._@-]/gu, '.')
    .replace(/^[._@-]+/, '')
    .slice(0, 60);
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, claims.sub]))
    .digest('hex')
    .slice(0, 16);
  return `${tidy === '' ? 'user' : tidy}+${digest}`;
}

/** Calls of the library, through the one way out. */
function fetchBy(dialer: Pick<ReturnType<typeof createDialer>, 'request'>): CustomFetch {
  return async (url, { method, headers, body }) => {
    const content = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;
    const asked = { method: method === 'POST' ? 'POST' : 'GET', url, headers, body: content, timeoutMs, maxRedirects: 0 } as const;
    const answer = await dialer.request(asked);
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };
}

/**
 * @throws {Error} one sentence that says what to do, where a setting is missing
 * @returns `undefined` where the settings name no provider
 */
export function createOpenIdLogin(
  settings: OpenIdSettings,
  { accounts, publicUrl, clock, log, ca }: OpenIdParts,
): (OpenIdLogin & { close(): Promise<void> }) | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcClaim = 'hilo', oidcScope = 'openid profile email' } = settings;
  if (oidcIssuer === undefined) return undefined;
  const issuer = URL.parse(oidcIssuer);
  if (issuer === null || !/^https?:$/.test(issuer.protocol))
    throw new Error('--oidc-issuer is no address: write one such as https://login.example.com');
  if (oidcClientId === undefined) throw new Error('--oidc-issuer needs --oidc-client-id: what the provider calls this service');
  const dialer = createDialer({ allow: [formatHostAndPort(issuer), ...settings.egressAllow], ca, clock }); // the operator names it
  let known: Promise<Configuration> | undefined;
  const discover = (): Promise<Configuration> => {
    known ??= discovery(issuer, oidcClientId, oidcClientSecret, undefined, {
      [customFetch]: fetchBy(dialer),
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      known = undefined; // the next one asks again
      throw error;
    });
    return known;
  };
  /** Tells the person what is wrong, and the log why. */
  const guard = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OpenIdRefusal) throw error;
      log.warn({ error: String(error), issuer: issuer.host }, 'A login with OpenID Connect was refused');
      throw new OpenIdRefusal(
        isDialerError(error) || isDialerError((error as { readonly cause?: unknown }).cause)
          ? `${issuer.host} does not answer now`
          : `${issuer.host} did not confirm this login: try again`,
      );
    }
  };
  const redirectUri = (): string => `${publicUrl.get()}${callbackPath}`;
  return {
    name: issuer.host,
    begin: (to) =>
      guard(async () => {
        const config = await discover();
        const begun = { verifier: randomPKCECodeVerifier(), state: randomState(), nonce: randomNonce(), to };
        const url = buildAuthorizationUrl(config, {
          redirect_uri: redirectUri(),
          scope: oidcScope,
          code_challenge: await calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: 'S256',
          state: begun.state,
          nonce: begun.nonce,
        });
        return { url: url.href, begun };
      }),
    finish: (search, { verifier, state, nonce }) =>
      guard(async () => {
        const config = await discover();
        const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
        const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri()}${search}`), checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new OpenIdRefusal(`${issuer.host} did not say who you are`);
        const more =
          claims[oidcClaim] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(config, tokens.access_token, claims.sub)
            : {};
        const all: { readonly sub: string; readonly [claim: string]: unknown } = { ...more, ...claims };
        const grant = readGrant(all[oidcClaim]);
        if (grant === undefined) throw new OpenIdRefusal(`${issuer.host} gives you no role here: its claim "${oidcClaim}" has none`);
        const account = await accounts.saveUser(nameAccount(claims.iss, all), grant);
        const operator = account === undefined ? undefined : await accounts.ofSession(account.id);
        if (operator === undefined) throw new OpenIdRefusal('Your account was removed meanwhile: try again');
        return operator;
      }),
    close: dialer.close,
  };
}
