// Logging a browser in by a code that works once.
import { parseJson, utf8 } from '@hilo/engine';
import type { Clock, Random } from '@hilo/engine/contract';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { HttpEnv } from '../context.ts';
import { defineRoute } from '../define-route.ts';
import { envelope, withErrorHandler } from '../envelope.ts';
import { invalidRequest, unauthorized } from '../errors.ts';
import { type MountOptions, mountRoutes } from '../mount-routes.ts';
import { ErrorBody, jsonResponse } from '../openapi.ts';
import { renderPage, findRootPath } from '../page.ts';
import { readPageWords } from '../page-words.ts';
import { isOfOurPages } from '../own-origin.ts';
import { readBody } from '../read-body.ts';
import { findNetwork, readClientAddress } from '../socket-address.ts';
import type { Traffic, TrafficParts } from '../traffic.ts';
import {
  adminAuth,
  beginSession,
  endSession,
  isLoggedIn,
  authorizeByHost,
  findByToken,
  type AdminAuthParts,
  type KnownAccount,
} from './admin-auth.ts';
import type { FailedLogins } from '../failed-logins.ts';
import { keepBegun, type OpenIdLogin, OpenIdRefusal, renderArrival, takeBegun } from './openid.ts';

/** Codes that log one browser in, once: a link holds a code and not the admin token, which then is in no history and no log. */
export interface LoginCodes {
  issue(): string;
  /** Redeems a code. @returns whether it was valid; a code is valid once */
  redeem(code: string): boolean;
}

/** How long a code is good for. */
export const loginCodeMs = 3_600_000;

/** What a login needs. */
type LoginParts = AdminAuthParts &
  TrafficParts & {
    /** Codes that log a browser in by a link; not there where a host makes none. */
    readonly loginCodes?: LoginCodes;
    /** Where people log in with an account of a provider. */
    readonly openId?: OpenIdLogin | undefined;
  };

/** Kept by this process alone: what it issued ends with it. */
export function createLoginCodes({ clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random }): LoginCodes {
  const untilMs = new Map<string, number>();
  return {
    issue() {
      const code = Buffer.from(random.bytes(24)).toString('base64url');
      untilMs.set(code, clock.now() + loginCodeMs);
      return code;
    },
    redeem(code) {
      const end = untilMs.get(code);
      untilMs.delete(code);
      return end !== undefined && clock.now() < end;
    },
  };
}

/** The login form of an unauthenticated client holds one token. */
const longestLoginChars = 4_000;

/** The admin token, or the code of a link, which logs in once. */
const Login = z.union([z.object({ token: z.string().min(1).max(1_000) }), z.object({ code: z.string().min(1).max(100) })]).openapi('Login');

/** Keeps who logs in. */
export interface LoginRecord {
  /** Puts what a right credential does on record before it is done. */
  session(
    act: { readonly actor: string; readonly action: string; readonly requestId: string },
    perform: () => Promise<void>,
  ): Promise<void>;
  /** Puts on record that somebody of a network was refused. */
  refusal(requestId: string, network: string): Promise<void>;
}

/** What these routes work with. */
interface LoginRouteParts {
  readonly service: LoginParts;
  readonly traffic: Traffic;
  readonly record: LoginRecord;
}

const recordSession = (record: LoginRecord, action: string, c: Context<HttpEnv>, perform: () => Promise<void>): Promise<void> =>
  record.session({ actor: c.get('credential') ?? 'admin session', action, requestId: c.get('requestId') }, perform);

const recordRefusal = (record: LoginRecord, c: Context<HttpEnv>): Promise<void> =>
  record.refusal(c.get('requestId'), findNetwork(readClientAddress(c)));

const logIn = defineRoute({
  post: '/admin/v1/login',
  operationId: 'logIn',
  auth: 'nobody',
  tags: ['Management'],
  summary: 'Exchanges an admin token, or the code of a login link, for a cookie of twelve hours',
  description: 'For browsers: programs send the token with each request instead, and need no cookie.',
  body: { content: { 'application/json': { schema: Login } } },
  answer: jsonResponse('The cookie is set', z.object({ success: z.literal(true) })),
  also: { 303: { description: 'The cookie is set; a form of the built-in page is redirected to the requested page' } },
  refusals: {
    400: jsonResponse('The body is not a token', ErrorBody),
    401: jsonResponse('Not the admin token, or a code that was used or has expired', ErrorBody),
    413: jsonResponse('The body is larger than 1 MB', ErrorBody),
    429: jsonResponse('Too many failed attempts from this address: see Retry-After', ErrorBody),
    503: jsonResponse('Nothing was read: see Retry-After', ErrorBody),
  },
  example: { body: { token: 'ADMIN_TOKEN' } },
  async handle({ c }, { service, traffic, record }: LoginRouteParts) {
    if (!isOfOurPages(c, service)) throw unauthorized('A page of another origin sent this: log in on the page of this service');
    const { given, isForm, to } = await readLogin(c, traffic);
    const known = 'token' in given ? await findByToken(service, given.token) : await redeemCode(service, given.code);
    if (!(await traffic.failedLogins.attempt(readClientAddress(c), 'admin', () => known !== undefined))) {
      await recordRefusal(record, c);
      if (isForm) return renderLoginPage(c, service, { complaint: readPageWords(c).words.wrongToken, to });
      throw unauthorized('token' in given ? 'This is not the admin token' : 'This login link was used already, or is too old');
    }
    if (known?.id !== undefined) c.set('credential', known.name);
    await recordSession(record, 'logIn', c, () => beginSession(c, service, known?.id));
    return isForm ? c.redirect(`${findRootPath(c)}${to}`, 303) : { success: true as const };
  },
});

/** Who a code of a link logs in: the holder of the admin token, or a user. */
async function redeemCode(
  { loginCodes, accounts }: LoginParts,
  code: string,
): Promise<(Partial<KnownAccount> & { readonly name: string }) | undefined> {
  return loginCodes?.redeem(code) === true ? { name: 'admin session' } : accounts?.ofLink(code);
}

const logOut = defineRoute({
  post: '/admin/v1/logout',
  operationId: 'logOut',
  auth: 'anyOperator',
  tags: ['Management'],
  summary: 'Ends the session of the cookie, for all copies of it',
  description: 'Later requests with the cookie are refused; the admin token stays valid.',
  also: { 204: { description: 'The session has ended. A form of the built-in page is redirected to the login (303)' } },
  refusals: { 401: jsonResponse('No valid admin token', ErrorBody) },
  example: {},
  async handle({ c }, { service, record }: LoginRouteParts) {
    await recordSession(record, 'logOut', c, () => endSession(c, service));
    return hasForm(c) ? c.redirect(`${findRootPath(c)}studio/`, 303) : c.body(null, 204);
  },
});

/** Exchanges the admin token for a cookie, by a form of our own page or as JSON, and ends what the cookie began. */
export function createLogin(service: LoginParts, traffic: Traffic, record: LoginRecord): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  const [withEnvelope, authenticate] = [envelope(service, traffic, 'management'), adminAuth(service, traffic.failedLogins)];
  const guards: MountOptions['guards'] = ({ auth }) => [withEnvelope, ...(auth === 'anyOperator' ? [authenticate] : [])];
  mountRoutes(app, { service, traffic, record }, [logIn, logOut], { guards });
  const { openId } = service;
  if (openId !== undefined) addOpenIdPages(app, { service, traffic, record }, openId, withEnvelope);
  return app;
}

/** The way to a provider, and back from it. */
function addOpenIdPages(
  app: OpenAPIHono<HttpEnv>,
  { service, traffic, record }: LoginRouteParts,
  openId: OpenIdLogin,
  withEnvelope: MiddlewareHandler<HttpEnv>,
): void {
  const refuse = (c: Context<HttpEnv>, error: unknown, to: string) => {
    if (!(error instanceof OpenIdRefusal)) throw error;
    return renderLoginPage(c, service, { complaint: `${error.message}.`, to });
  };
  app.get('/admin/v1/login/openid', withEnvelope, async (c) => {
    const asked = c.req.query('to') ?? '';
    const to = isPage(asked) ? asked : 'studio/';
    try {
      const { url, begun } = await openId.begin(to);
      await keepBegun(c, service, begun);
      return c.redirect(url, 303);
    } catch (error) {
      return refuse(c, error, to);
    }
  });
  app.get('/admin/v1/login/openid/callback', withEnvelope, async (c) => {
    const begun = await takeBegun(c, service);
    const to = begun?.to ?? 'studio/';
    try {
      if (begun === undefined) throw new OpenIdRefusal('This login began in another browser, or longer than ten minutes ago: begin again');
      const { id, name } = await openId.finish(new URL(c.req.url).search, begun);
      c.set('credential', name);
      await recordSession(record, 'logIn', c, () => beginSession(c, service, id));
      return await renderArrival(c, to);
    } catch (error) {
      if (error instanceof OpenIdRefusal) await recordRefusal(record, c);
      await traffic.failedLogins.count(readClientAddress(c), 'admin'); // whoever is refused again and again waits, as with tokens
      return refuse(c, error, to);
    }
  });
}

/**
 * Asks for the admin token, or reads the code of a login link from the fragment (`#…`) of the address.
 *
 * @param to - where a login leads; the requested page when left out
 */
function renderLoginPage(
  c: Context<HttpEnv>,
  { openId }: Pick<LoginParts, 'openId'>,
  { complaint = '', to = readRequestedPage(c) }: { readonly complaint?: string; readonly to?: string | undefined } = {},
): Promise<Response> {
  const { language, words } = readPageWords(c);
  const root = findRootPath(c);
  return renderPage(c, 401, words.logIn, {
    language,
    shape: 'card',
    content: html`<form method="post" action="${root}admin/v1/login">
        <p role="alert">${complaint}</p>
        <input type="hidden" name="to" value="${to}" />
        <label>${words.adminToken} <input type="password" name="token" required autofocus autocomplete="current-password" /></label>
        <button class="primary">${words.logIn}</button>
      </form>
      ${
        openId === undefined
          ? ''
          : html`<p><a href="${root}admin/v1/login/openid?to=${encodeURIComponent(to)}">${words.logInWith(openId.name)}</a></p>`
      }
      <details><summary>${words.where}</summary>${words.whereToken('HILO_ADMIN_TOKEN', 'admin.token')}</details>`,
    script: renderLinkScript(root),
  });
}

/** The path of the requested page below the mount point: `studio/1/order?node=ask`. */
const readRequestedPage = (c: Context<HttpEnv>): string => {
  const depth = findRootPath(c).split('/').length;
  return `${c.req.path.split('/').slice(-depth).join('/')}${new URL(c.req.url).search}`;
};

/** Pages of ours: a form that names anything else leads to the studio. */
const isPage = (to: string): boolean => /^(?:docs|studio)(?:[/?][\x21-\x7e]{0,2000})?$/.test(to);

/**
 * The fragment reaches no server and no log. It is removed from the address before use and is valid for one login, so that the
 * browser's history opens nothing.
 */
const renderLinkScript = (root: string): string => `
const code = new URLSearchParams(location.hash.slice(1)).get('login');
if (code !== null) {
  history.replaceState(null, '', location.pathname + location.search);
  const say = (text) => { document.querySelector('[role=alert]').textContent = text; };
  fetch('${root}admin/v1/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) })
    .then((answer) => answer.ok ? location.reload() : answer.json().then(({ message }) => say(message + '.')))
    .catch(() => say('The service does not answer.'));
}`;

const hasForm = (c: Context<HttpEnv>): boolean => c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') === true;

interface GivenLogin {
  readonly given: z.output<typeof Login>;
  readonly isForm: boolean;
  /** The page that a login by the form leads to. */
  readonly to: string;
}

async function readLogin(c: Context<HttpEnv>, { admission }: Traffic): Promise<GivenLogin> {
  const isForm = hasForm(c);
  const entry = admission.enter({ kind: 'anonymous', address: readClientAddress(c) });
  try {
    const text = utf8(await readBody(c, entry));
    if (text.length > longestLoginChars)
      throw invalidRequest(`The body has more than ${longestLoginChars} characters: send { "token": "…" } and nothing else`);
    const form = new URLSearchParams(isForm ? text : '');
    const { data } = Login.safeParse(isForm ? Object.fromEntries(form) : parseJson(text));
    if (data === undefined) throw invalidRequest('Give the admin token as { "token": "…" }');
    const to = form.get('to') ?? '';
    return { given: data, isForm, to: isPage(to) ? to : 'studio/' };
  } finally {
    entry.leave();
  }
}

/** Authenticates operators on pages: a browser without a session gets the login page instead of a refusal (P27, T20). */
export function pageAuth(service: AdminAuthParts & Pick<LoginParts, 'openId'>, failedLogins: FailedLogins): MiddlewareHandler<HttpEnv> {
  const authenticate = adminAuth(service, failedLogins);
  return async (c, next) => {
    const mayLogIn = c.req.header('authorization') === undefined && c.req.header('accept')?.includes('text/html') === true;
    const isKnown = async (): Promise<boolean> => (await isLoggedIn(c, service)) || (await authorizeByHost(c, service)) !== undefined;
    return mayLogIn && !(await isKnown()) ? renderLoginPage(c, service) : authenticate(c, next);
  };
}
