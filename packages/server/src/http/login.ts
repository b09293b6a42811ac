import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Service } from '../service/service.ts';
import { isOfOurPages } from './admin-door.ts';
import { beginSession } from './admin-session.ts';
import type { HttpEnv } from './context.ts';
import { Problem, said } from './described.ts';
import { envelope, inShape } from './envelope.ts';
import { page } from './page.ts';
import { parseJson } from './parse-json.ts';
import { readBody, utf8 } from './read-body.ts';
import { invalidRequest, unauthorized } from './refusal.ts';
import { sameSecret } from './same-secret.ts';
import { socketAddress } from './socket-address.ts';
import { createTraffic, type Traffic } from './traffic.ts';

const loginPath = '/admin/v1/login';

/** In characters: whoever has no token yet has nothing long to say. */
const longestLogin = 4_000;

const Login = z.object({ token: z.string().min(1).max(1_000) }).openapi('Login');

/** Exchanges the admin token for a cookie: `POST /admin/v1/login`, by a form of our own page or as JSON. */
export function createLogin(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const { settings, clock } = service;
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: loginPath,
    tags: ['Management'],
    summary: 'Exchanges the admin token for a cookie of twelve hours',
    request: { body: { content: { 'application/json': { schema: Login } } } },
    responses: {
      200: said('The cookie is set', z.object({ success: z.literal(true) })),
      400: said('The body is no token', Problem),
      401: said('Not the admin token, or none is set', Problem),
      413: said('The body is larger than 1 MB', Problem),
      503: said('Nothing was read: see Retry-After', Problem),
    },
  });
  app.post(loginPath, envelope(service, traffic, 'management'), async (c) => {
    if (!isOfOurPages(c)) throw unauthorized('Log in on the page itself');
    const { token, isForm } = await givenToken(c, traffic);
    if (settings.adminToken === undefined || !sameSecret(token, settings.adminToken)) {
      await traffic.failedLogins.count(socketAddress(c), 'admin');
      if (isForm) return loginPage(c, 'That is not the admin token.');
      throw unauthorized('This is not the admin token');
    }
    beginSession(c, settings.adminToken, clock.now());
    return isForm
      ? page(
          c,
          200,
          'Logged in',
          html`<p>You are logged in. Go to <a href="/docs">the documentation</a> or <a href="/studio/">the studio</a>.</p>`,
        )
      : c.json({ success: true });
  });
  return app;
}

/** Asks for the admin token. */
export const loginPage = (c: Context<HttpEnv>, complaint = '') =>
  page(
    c,
    401,
    'Log in',
    html`<form method="post" action="${loginPath}">
      <p role="alert">${complaint}</p>
      <label>Admin token <input type="password" name="token" required autofocus autocomplete="current-password" /></label>
      <button>Log in</button>
    </form>`,
  );

async function givenToken(c: Context<HttpEnv>, { admission }: Traffic): Promise<{ readonly token: string; readonly isForm: boolean }> {
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') === true;
  const entry = admission.enter({ kind: 'nobody' });
  try {
    const text = utf8(await readBody(c, entry));
    if (text.length > longestLogin) throw invalidRequest('This is more than a token');
    const { data } = Login.safeParse(isForm ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text));
    if (data === undefined) throw invalidRequest('Give the admin token as { "token": "…" }');
    return { ...data, isForm };
  } finally {
    entry.leave();
  }
}
