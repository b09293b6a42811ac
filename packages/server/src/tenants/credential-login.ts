// A person logs in for a credential of kind `oauth2` (authorization code with PKCE): what comes back is a refresh token, by which calls get their
// access tokens from then on. What a login began with goes along, sealed, so that any process can end it, and only whoever began it.
import { createHash } from 'node:crypto';
import { type Dialer, DriverError } from '@hilo/drivers';
import { type Clock, type Json, parseJsonText, type Random } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { html } from 'hono/html';
import type { Context } from 'hono';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, formatInstant, Instant, parseBody } from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { HttpError, invalidFields, notFound } from '../platform/http/errors.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { renderPage } from '../platform/http/page.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import { type KeepRefreshToken, readLoginCredential, requestToken } from './access-tokens.ts';
import { requireCompany, type Companies, type Tenancy } from './companies.ts';

/** How long somebody may take at the server of the credential. */
const loginMs = 600_000;
/** Below the public address: where the server leads back to. */
const backPath = '/admin/v1/credentials/login';

/** What a login began with. */
const Begun = z.object({ companyId: z.string(), id: z.string(), operator: z.string(), verifier: z.string(), untilMs: z.number() });

/** Logins with credentials. */
export interface CredentialLogins {
  /** @returns where the person logs in @throws {HttpError} 404, 409 for a credential with which nobody logs in */
  begin(of: Tenancy, companyId: string, id: string, operator: string): Promise<{ readonly url: string; readonly untilMs: number }>;
  /** @throws {HttpError} 404, 409 with the word of the server, 422 for what this operator did not begin */
  finish(
    of: Tenancy,
    given: { readonly code: string; readonly state: string },
    operator: string,
  ): Promise<{ companyId: string; id: string }>;
}

interface LoginParts {
  readonly companies: Pick<Companies, 'credential'>;
  readonly dialer: Pick<Dialer, 'request'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly publicUrl: { get(): string };
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly keep: KeepRefreshToken;
}

/** Of no company: what it is bound to. */
const sealedAs = ['', 'login with a credential'] as const;

export function createCredentialLogins({ companies, dialer, vault, publicUrl, clock, random, keep }: LoginParts): CredentialLogins {
  const back = (): string => `${publicUrl.get()}${backPath}`;
  const find = async (of: Tenancy, companyId: string, id: string) => {
    const company = requireCompany(of, companyId);
    const credential = await companies.credential(company.id, id);
    if (credential === undefined) throw notFound('CREDENTIAL_NOT_FOUND', `Company ${companyId} has no credential "${id}"`);
    const found = readLoginCredential(credential);
    if (found !== undefined) return found;
    throw new HttpError(
      409,
      'PROVIDER_UNSUPPORTED',
      `Nobody logs in with the credential "${id}": it is no oauth2 with an authorizationUrl`,
    );
  };
  const read = (state: string): z.output<typeof Begun> | undefined => {
    try {
      const begun: Json = parseJsonText(vault.open(...sealedAs, state));
      return Begun.safeParse(begun).data;
    } catch {
      return undefined;
    }
  };
  return {
    async begin(of, companyId, id, operator) {
      const { authorizationUrl, clientId, scope, audience } = await find(of, companyId, id);
      const verifier = Buffer.from(random.bytes(32)).toString('base64url');
      const untilMs = clock.now() + loginMs;
      const url = new URL(authorizationUrl);
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: back(),
        state: vault.seal(...sealedAs, JSON.stringify({ companyId, id, operator, verifier, untilMs })),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(scope !== undefined && { scope }),
        ...(audience !== undefined && { audience }),
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return { url: url.href, untilMs };
    },
    async finish(of, { code, state }, operator) {
      const begun = read(state);
      if (begun?.operator !== operator || clock.now() > begun.untilMs)
        throw invalidFields({ state: ['this login was begun by somebody else, or longer than ten minutes ago: begin again'] });
      const { companyId, id, verifier } = begun;
      const credential = await find(of, companyId, id);
      const grant = { grant_type: 'authorization_code', code, redirect_uri: back(), code_verifier: verifier };
      const { refreshToken } = await requestToken(credential, grant, { dialer, clock, companyId, credentialId: id }).catch(
        (error: unknown) => {
          throw error instanceof DriverError ? new HttpError(409, 'PROVIDER_REFUSED', error.message) : error;
        },
      );
      if (refreshToken === undefined)
        throw new HttpError(
          409,
          'PROVIDER_REFUSED',
          `The server gave no refresh token for the credential "${id}": its scope may have to ask for one, such as offline_access`,
        );
      await keep({ companyId, id }, refreshToken);
      return { companyId, id };
    },
  };
}

/** What these routes work with. */
export type CredentialLoginParts = Tenancy & { readonly credentialLogins: CredentialLogins };

const ofCredential = z.object({ companyId: z.string(), credentialId: z.string() });
const refused = { ...bodyErrorResponses, 409: bodyErrorResponses[400] };

const begin = defineRoute({
  post: '/admin/v1/companies/{companyId}/credentials/{credentialId}/login',
  operationId: 'beginCredentialLogin',
  auth: 'operator',
  permission: 'operate',
  tags: ['Workspaces'],
  summary: 'Begins a login with a credential of kind oauth2: the address at which a person agrees',
  description: 'Open it in the browser in which you are logged in here: it leads back to a page of the service, which ends the login.',
  params: ofCredential,
  answer: jsonResponse('Where the person logs in, within ten minutes', z.object({ url: z.url(), expiresAt: Instant })),
  refusals: refused,
  example: { path: { companyId: '1', credentialId: 'crm' } },
  async handle({ c, params: { companyId, credentialId }, operator }, { companies, credentialLogins }: CredentialLoginParts) {
    noteAct(c, { companyId, kind: 'credential', id: credentialId });
    const { url, untilMs } = await credentialLogins.begin({ companies }, companyId, credentialId, operator);
    return { url, expiresAt: formatInstant(untilMs) };
  },
});

const FinishBody = z.object({ code: z.string('code is a text').min(1).max(4_096), state: z.string('state is a text').min(1).max(8_192) });

const finish = defineRoute({
  post: backPath,
  operationId: 'finishCredentialLogin',
  auth: 'operator',
  permission: 'operate',
  tags: ['Workspaces'],
  summary: 'Ends a login with a credential: exchanges the code for a refresh token, which is kept encrypted',
  description: 'By whoever began it. The page at the same address, to which the server leads back, asks so by itself.',
  body: closedBody('What the server led back with', {
    type: 'object',
    required: ['code', 'state'],
    properties: { code: { type: 'string', maxLength: 4_096 }, state: { type: 'string', maxLength: 8_192 } },
  }),
  answer: jsonResponse('The credential, which is of use from now on', z.object({ companyId: z.string(), credentialId: z.string() })),
  refusals: refused,
  example: { body: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'v1.0f3a' } },
  async handle({ c, operator }, { companies, credentialLogins }: CredentialLoginParts) {
    const { companyId, id } = await credentialLogins.finish({ companies }, parseBody(FinishBody, await c.req.text()), operator);
    noteAct(c, { companyId, kind: 'credential', id });
    return { companyId, credentialId: id };
  },
});

/**
 * The page to which the server leads back. No cookie of the strictest kind comes along from another site, so that nobody is known yet (401): its
 * script asks as whoever is logged in.
 */
export const renderCredentialLogin = (c: Context<HttpEnv>): Promise<Response> =>
  renderPage(c, 401, 'Login with a credential', {
    shape: 'card',
    content: html`<p id="told" role="status">One moment …</p>`,
    script: `
const told = document.getElementById('told');
const given = new URLSearchParams(location.search);
history.replaceState(null, '', location.pathname);
const tell = (text) => { told.textContent = text; };
if (given.get('code') === null) tell('The server did not agree: ' + (given.get('error') ?? 'it gave no code') + '. Begin again.');
else
  fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: given.get('code'), state: given.get('state') ?? '' }),
  })
    .then(async (answer) => {
      const { message } = await answer.json();
      if (answer.ok) tell('Done: calls with this credential sign in from now on. You may close this page.');
      else if (answer.status === 401) tell('Log in to this service in this browser, and begin again.');
      else tell([message].flat().join('. '));
    })
    .catch(() => tell('The service did not answer: begin again.'));
`,
    hasSecretAddress: true,
  });

/** Logins with credentials. */
export const credentialLoginRoutes: readonly Route<CredentialLoginParts>[] = [begin, finish];
