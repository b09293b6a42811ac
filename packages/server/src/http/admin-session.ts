import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { HttpEnv } from './context.ts';
import { sameSecret } from './same-secret.ts';

const cookieName = 'hilo_admin';
const sessionMs = 12 * 3_600_000;

/**
 * Begins a session of twelve hours. The cookie holds when it ends, signed with a key made of the token: another token ends
 * every session, and whoever sees the cookie does not see the token.
 */
export function beginSession(c: Context<HttpEnv>, adminToken: string, nowMs: number): void {
  const untilMs = String(nowMs + sessionMs);
  setCookie(c, cookieName, `${untilMs}.${signature(untilMs, adminToken)}`, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: sessionMs / 1000,
    secure: new URL(c.req.url).protocol === 'https:',
  });
}

/** Whether the request has the cookie of a session that is not over. */
export function hasSession(c: Context<HttpEnv>, adminToken: string, nowMs: number): boolean {
  const [, untilMs = '', signed = ''] = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/.exec(getCookie(c, cookieName) ?? '') ?? [];
  return untilMs !== '' && sameSecret(signed, signature(untilMs, adminToken)) && Number(untilMs) > nowMs;
}

const signature = (untilMs: string, adminToken: string): string =>
  createHmac('sha256', `hilo admin session ${adminToken}`).update(untilMs).digest('base64url');
