import { createHmac, randomBytes } from 'node:crypto';
import { call, statementsOver } from '@hilo/stores';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Service } from '../../../service.ts';
import type { EndedSessionRow } from '../../database/ended-sessions.ts';
import type { HttpEnv } from '../context.ts';
import { sameSecret } from './same-secret.ts';

type Keeper = Pick<Service, 'settings' | 'clock' | 'store'>;

const sessionMs = 12 * 3_600_000;

/**
 * Begins a session of twelve hours. The cookie holds when it ends, signed with a key made of the token: another token ends
 * every session, and whoever sees the cookie does not see the token.
 */
export function beginSession(c: Context<HttpEnv>, { settings, clock }: Keeper): void {
  const session = `${clock.now() + sessionMs}.${randomBytes(16).toString('base64url')}`;
  const cookie = cookieOf(settings);
  setCookie(c, cookie.name, `${session}.${signature(session, settings.adminToken)}`, { ...cookie.options, maxAge: sessionMs / 1000 });
}

/** Whether the request has the cookie of a session that is not over, and that nobody has ended. */
export async function hasSession(c: Context<HttpEnv>, service: Keeper): Promise<boolean> {
  const session = sessionIn(c, service);
  if (session === undefined) return false;
  return (await service.store.runner.readOne(call(endedSession, { sessionId: session.id }))) === undefined;
}

/** Ends the session of a request for every process of the service: a copy of its cookie is of no use from now on. */
export async function endSession(c: Context<HttpEnv>, service: Keeper): Promise<void> {
  const { settings, clock, store } = service;
  const session = sessionIn(c, service);
  if (session !== undefined)
    await store.runner.write([
      call(forgetOverSessions, { nowMs: clock.now() }),
      call(keepEndedSession, { sessionId: session.id, untilMs: session.untilMs }),
    ]);
  const { name, options } = cookieOf(settings);
  deleteCookie(c, name, options);
}

/** Below an https address the cookie is never sent in the clear, and no other host below the same domain can set it. */
function cookieOf({ publicUrl }: Pick<Service['settings'], 'publicUrl'>) {
  const secure = publicUrl !== undefined && new URL(publicUrl).protocol === 'https:';
  return {
    name: secure ? '__Host-hilo_admin' : 'hilo_admin',
    options: { httpOnly: true, sameSite: 'Strict', path: '/', secure },
  } as const;
}

function sessionIn(c: Context<HttpEnv>, { settings, clock }: Keeper): { readonly id: string; readonly untilMs: number } | undefined {
  const cookie = getCookie(c, cookieOf(settings).name) ?? '';
  const [, untilText = '', id = '', signed = ''] = /^(\d{1,15})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(cookie) ?? [];
  const untilMs = Number(untilText);
  const isOurs = id !== '' && sameSecret(signed, signature(`${untilText}.${id}`, settings.adminToken));
  return isOurs && untilMs > clock.now() ? { id, untilMs } : undefined;
}

const signature = (session: string, adminToken: string): string =>
  createHmac('sha256', `hilo admin session ${adminToken}`).update(session).digest('base64url');

const statement = statementsOver<{ readonly ended_sessions: EndedSessionRow }>();

const endedSession = statement<{ readonly sessionId: string }>()((db, { sessionId }) =>
  db.selectFrom('ended_sessions').select('session_id').where('session_id', '=', sessionId),
);

const keepEndedSession = statement<{ readonly sessionId: string; readonly untilMs: number }>()((db, { sessionId, untilMs }) =>
  db
    .insertInto('ended_sessions')
    .values({ session_id: sessionId, until_ms: untilMs })
    .onConflict((conflict) => conflict.doNothing()),
);

const forgetOverSessions = statement<{ readonly nowMs: number }>()((db, { nowMs }) =>
  db.deleteFrom('ended_sessions').where('until_ms', '<=', nowMs),
);
