import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Service } from '../../../service.ts';
import { adminDoor, isOfOurPages } from './admin-auth.ts';
import { beginSession, endSession } from './admin-session.ts';
import type { HttpEnv } from '../context.ts';
import { Problem, said } from '../openapi.ts';
import { envelope, inShape } from '../envelope.ts';
import { page, rootFrom } from '../page.ts';
import { parseJson } from '../parse-json.ts';
import { readBody, utf8 } from '../read-body.ts';
import { invalidRequest, unauthorized } from '../refusal.ts';
import { sameSecret } from './same-secret.ts';
import { socketAddress } from '../socket-address.ts';
import { createTraffic, type Traffic } from '../traffic.ts';

const loginPath = '/admin/v1/login';
const logoutPath = '/admin/v1/logout';

/** In characters: whoever has no token yet has nothing long to say. */
const longestLogin = 4_000;

/** The admin token, or the code of a link, which logs in once. */
const Login = z.union([z.object({ token: z.string().min(1).max(1_000) }), z.object({ code: z.string().min(1).max(100) })]).openapi('Login');

/** Exchanges the admin token for a cookie, by a form of our own page or as JSON, and ends what the cookie began. */
export function createLogin(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: loginPath,
    tags: ['Management'],
    summary: 'Exchanges the admin token, or the code of a login link, for a cookie of twelve hours',
    request: { body: { content: { 'application/json': { schema: Login } } } },
    responses: {
      200: said('The cookie is set', z.object({ success: z.literal(true) })),
      400: said('The body is no token', Problem),
      401: said('Not the admin token, or a code that was used or is too old', Problem),
      413: said('The body is larger than 1 MB', Problem),
      429: said('Too many wrong ones came from this address: see Retry-After', Problem),
      503: said('Nothing was read: see Retry-After', Problem),
    },
  });
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: logoutPath,
    tags: ['Management'],
    summary: 'Ends the session of the cookie, for every copy of it',
    responses: {
      204: { description: 'It is over. To a form of our own page 303 leads to the login' },
      401: said('No admin token, or not this one', Problem),
    },
  });
  const around = envelope(service, traffic, 'management');
  app.post(loginPath, around, async (c) => {
    if (!isOfOurPages(c, service)) throw unauthorized('Log in on the page itself');
    const { given, isForm } = await readLogin(c, traffic);
    const isRight = () =>
      'token' in given ? sameSecret(given.token, service.settings.adminToken) : service.loginCodes?.redeem(given.code) === true;
    if (!(await traffic.failedLogins.attempt(socketAddress(c), 'admin', isRight))) {
      if (isForm) return loginPage(c, 'That is not the admin token.');
      throw unauthorized('token' in given ? 'This is not the admin token' : 'This login link was used already, or is too old');
    }
    beginSession(c, service);
    return isForm
      ? page(c, 200, 'Logged in', {
          content: html`<p>You are logged in. Go to <a href="${rootFrom(c)}docs">the documentation</a> or <a href="${rootFrom(c)}studio/">the studio</a>.</p>`,
        })
      : c.json({ success: true });
  });
  app.post(logoutPath, around, adminDoor(service, traffic.failedLogins), async (c) => {
    await endSession(c, service);
    return hasForm(c) ? c.redirect(`${rootFrom(c)}studio/`, 303) : c.body(null, 204);
  });
  return app;
}

/** Asks for the admin token, or takes the code of a login link from behind the `#` of the address. */
export const loginPage = (c: Context<HttpEnv>, complaint = '') =>
  page(c, 401, 'Log in', {
    content: html`<form method="post" action="${rootFrom(c)}admin/v1/login">
      <p role="alert">${complaint}</p>
      <p>The admin token is <code>HILO_ADMIN_TOKEN</code>, or without that in the file <code>admin.token</code> of the data directory.</p>
      <label>Admin token <input type="password" name="token" required autofocus autocomplete="current-password" /></label>
      <button>Log in</button>
    </form>`,
    script: logInByLink(rootFrom(c)),
  });

/**
 * What is behind the `#` reaches no server and no log of one. It is taken out of the address first, and was good for one login:
 * what the browser's history keeps of it opens nothing.
 */
const logInByLink = (root: string): string => `
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
}

async function readLogin(c: Context<HttpEnv>, { admission }: Traffic): Promise<GivenLogin> {
  const isForm = hasForm(c);
  const entry = admission.enter({ kind: 'nobody' });
  try {
    const text = utf8(await readBody(c, entry));
    if (text.length > longestLogin) throw invalidRequest('This is more than a token');
    const { data } = Login.safeParse(isForm ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text));
    if (data === undefined) throw invalidRequest('Give the admin token as { "token": "…" }');
    return { given: data, isForm };
  } finally {
    entry.leave();
  }
}
