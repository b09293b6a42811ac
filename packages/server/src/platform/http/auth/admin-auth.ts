// Who may use management: tokens, sessions and accounts.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { integer, plain } from '@hilo/stores';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { z } from 'zod';
import { essenceOf } from '../../content-type.ts';
import { asSeen } from '../../shown-names.ts';
import { query } from '../../database/schema.ts';
import { type HttpEnv, type Operator as KnownOperator, type Permission, permissions } from '../context.ts';
import { HttpError, unauthorized } from '../errors.ts';
import { isOfOurPages } from '../own-origin.ts';
import { hasBody } from '../read-body.ts';
import { checkJsonType } from '../rest.ts';
import { readClientAddress } from '../socket-address.ts';
import type { FailedLogins } from '../failed-logins.ts';
import type { Platform } from '../../platform.ts';

/** Compares two texts in constant time. Digests are compared, because they have equal lengths. */
const isSameSecret = (given: string, known: string): boolean => timingSafeEqual(digest(given), digest(known));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

type SessionParts = Pick<Platform, 'settings' | 'clock' | 'store'>;

const sessionMs = 12 * 3_600_000;

/**
 * Begins a session of twelve hours. The cookie holds its end, signed with a key derived from the token: changing the token ends every
 * session, and the cookie does not reveal the token.
 *
 * @param accountId - whose it is; that of the admin token, when left out
 */
export async function beginSession(c: Context<HttpEnv>, { settings, clock }: SessionParts, accountId?: string): Promise<void> {
  const of = accountId === undefined ? '' : `.${accountId}`;
  const session = `${clock.now() + sessionMs}.${randomBytes(16).toString('base64url')}${of}`;
  const { name, options } = chooseCookie(settings);
  await setSignedCookie(c, name, session, deriveSigningKey(settings), { ...options, maxAge: sessionMs / 1000 });
}

/** The operator of a session that neither expired nor was ended, by the cookie of a request. */
async function findSessionOperator(c: Context<HttpEnv>, service: AdminAuthParts): Promise<KnownOperator | undefined> {
  const session = await readSession(c, service);
  if (session === undefined) return undefined;
  if ((await service.store.runner.readOne(selectEndedSession({ sessionId: session.id }))) !== undefined) return undefined;
  // What an account may do is read anew with each request.
  return session.accountId === undefined ? { ...holder, name: 'admin session' } : service.accounts?.ofSession(session.accountId);
}

/** Whoever holds the admin token of the settings may do everything. */
const holder = { can: permissions, reach: 'all' } as const;

/** Ends the session of a request for every process of the service: a copy of its cookie is of no use from now on. */
export async function endSession(c: Context<HttpEnv>, service: SessionParts): Promise<void> {
  const { settings, clock, store } = service;
  const session = await readSession(c, service);
  if (session !== undefined)
    await store.runner.write([
      deleteExpiredSessions({ nowMs: clock.now() }),
      insertEndedSession({ sessionId: session.id, untilMs: session.untilMs }),
    ]);
  const { name, options } = chooseCookie(settings);
  deleteCookie(c, name, options);
}

/** Below an https address the cookie is never sent in the clear, and no other host below the same domain can set it. */
function chooseCookie({ publicUrl }: Pick<Platform['settings'], 'publicUrl'>) {
  const secure = publicUrl !== undefined && new URL(publicUrl).protocol === 'https:';
  return {
    name: secure ? '__Host-hilo_admin' : 'hilo_admin',
    options: { httpOnly: true, sameSite: 'Strict', path: '/', secure },
  } as const;
}

async function readSession(
  c: Context<HttpEnv>,
  { settings, clock }: SessionParts,
): Promise<{ readonly id: string; readonly untilMs: number; readonly accountId: string | undefined } | undefined> {
  const signed = await getSignedCookie(c, deriveSigningKey(settings), chooseCookie(settings).name);
  const [until, id, accountId] = signed === undefined || signed === false ? [] : signed.split('.');
  const untilMs = Number(until);
  return id !== undefined && untilMs > clock.now() ? { id, untilMs, accountId } : undefined;
}

const deriveSigningKey = ({ adminToken }: SessionParts['settings']): string => `hilo admin session ${adminToken}`;

const selectEndedSession = query({ sessionId: plain() }, { sessionId: plain() }, (db, { sessionId }) =>
  db.selectFrom('ended_sessions').select('session_id').where('session_id', '=', sessionId),
);

const insertEndedSession = query({ sessionId: plain(), untilMs: integer() }, {}, (db, { sessionId, untilMs }) =>
  db
    .insertInto('ended_sessions')
    .values({ session_id: sessionId, until_ms: untilMs })
    .onConflict((conflict) => conflict.doNothing()),
);

const deleteExpiredSessions = query({ nowMs: integer() }, {}, (db, { nowMs }) =>
  db.deleteFrom('ended_sessions').where('until_ms', '<=', nowMs),
);

/** An operator whom the host has authenticated. */
export interface Operator {
  /** The operator's name, to which rate limits apply. */
  readonly name: string;
  /** What they may do in management and in the studio; an empty list is nothing at all. */
  readonly can: readonly Permission[];
  /** The ids of their companies; lists, streams and exports have nothing of any other, and its ids are unknown. */
  readonly companies: readonly string[] | 'all';
}

/**
 * The host's own authentication of management, the studio and the documentation. It is called for each request there, without its
 * body, and returns an operator with permissions and companies, both of which must be named: a request of an operator without either is
 * refused. A change takes effect with the next request. When it returns `undefined`, or throws, the admin token or a login is required
 * as before. It is not called for requests that a page of another origin made in a browser, unless
 * they send `Authorization: Bearer`: browsers add what they know of other schemes (Basic, Digest, Negotiate) to the requests of any page.
 */
export type Authorize = (request: Request) => Operator | undefined | Promise<Operator | undefined>;

/** An operator who has an account of the service. */
export interface KnownAccount extends KnownOperator {
  /** The id of the account. */
  readonly id: string;
}

/** Who has an account of the service, as it is now. */
export interface OperatorAccounts {
  /** By a token. */
  ofToken(token: string): Promise<KnownAccount | undefined>;
  /** By the account of a session. */
  ofSession(accountId: string): Promise<KnownAccount | undefined>;
  /** By the code of a login link, which is of no more use then. */
  ofLink(code: string): Promise<KnownAccount | undefined>;
}

/** What authenticates operators. */
export type AdminAuthParts = Pick<Platform, 'settings' | 'clock' | 'store' | 'log'> & {
  /** The service's own accounts; not there where a host makes none. */
  readonly accounts?: OperatorAccounts | undefined;
  /** Authorises operators in addition to the admin token. */
  readonly authorize?: Authorize | undefined;
};

/**
 * Authenticates operators: by the host's own authentication, an admin token, or the cookie of a login (P27). Requests from this
 * machine are no exception: behind a proxy or a forwarded port every request looks local (T25). Hono's `bearerAuth` knows one of the
 * three, and no delay after failures.
 */
export const adminAuth =
  (service: AdminAuthParts, failedLogins: FailedLogins): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const operator = (await findOfHost(c, service)) ?? (await findOwnOperator(c, service, failedLogins));
    if (operator === undefined)
      throw unauthorized(
        'Send the admin token as Authorization: Bearer. It is HILO_ADMIN_TOKEN, or without that in the file admin.token of the data directory',
      );
    c.set('credential', operator.name);
    c.set('can', operator.can);
    c.set('reach', operator.reach);
    c.set('grants', operator.grants);
    c.set('isUnchanged', async () => {
      try {
        return isSameOperator(operator, (await findOfHost(c, service)) ?? (await findAgain(c, service)));
      } catch {
        return false; // the host refuses them now
      }
    });
    return next();
  };

async function findOfHost(c: Context<HttpEnv>, service: AdminAuthParts): Promise<KnownOperator | undefined> {
  const ofHost = await authorizeByHost(c, service);
  return ofHost && { ...ofHost, name: `operator ${ofHost.name}` };
}

/** Who sends the credential that was right at the beginning of the request. */
async function findAgain(c: Context<HttpEnv>, service: AdminAuthParts): Promise<KnownOperator | undefined> {
  const bearer = readBearer(c);
  return bearer === undefined ? findSessionOperator(c, service) : findByToken(service, bearer);
}

const isSameOperator = (one: KnownOperator, other: KnownOperator | undefined): boolean =>
  other !== undefined && isDeepStrictEqual([one.name, one.can, one.reach, one.grants], [other.name, other.can, other.reach, other.grants]);

/** Who sends an admin token, or the cookie of a login. */
async function findOwnOperator(
  c: Context<HttpEnv>,
  service: AdminAuthParts,
  failedLogins: FailedLogins,
): Promise<KnownOperator | undefined> {
  const bearer = readBearer(c);
  if (bearer === undefined) return isOfOurPages(c, service) ? findSessionOperator(c, service) : undefined;
  const found = await findByToken(service, bearer);
  return (await failedLogins.attempt(readClientAddress(c), 'admin', () => found !== undefined)) ? found : undefined;
}

/** Whose a token is: that of the settings, or one that was made since. */
export const findByToken = async (
  { settings, accounts }: Pick<AdminAuthParts, 'settings' | 'accounts'>,
  token: string,
): Promise<(KnownOperator & Partial<KnownAccount>) | undefined> =>
  isSameSecret(token, settings.adminToken) ? { ...holder, name: 'admin token' } : accounts?.ofToken(token);

/**
 * Asks the authorize function of the host (T20). When it fails, it authorises nobody.
 *
 * @throws {HttpError} 403 for an operator whose permissions or companies it does not say
 */
export async function authorizeByHost(c: Context<HttpEnv>, service: AdminAuthParts): Promise<KnownOperator | undefined> {
  const { authorize, log } = service;
  if (authorize === undefined || (!hasBearer(c) && !isOfOurPages(c, service))) return undefined;
  let operator: unknown;
  try {
    operator = await authorize(new Request(c.req.url, { method: c.req.method, headers: c.req.raw.headers }));
  } catch (error) {
    log.warn({ error: String(error) }, 'The authorize of the host failed: it authorises no request');
    return undefined;
  }
  if (operator === undefined || operator === null) return undefined;
  const { data, error } = GivenOperator.safeParse(operator);
  if (data !== undefined) return data;
  const why = error.issues.map(({ message }) => message).join('; ');
  log.warn({ why }, 'The authorize of the host returned an operator who was refused');
  throw new HttpError(403, 'FORBIDDEN', `The authorize of the host returned an operator who is refused: ${why}`);
}

/** Whoever returns it may write JavaScript: what is left out is nothing, and never everything. */
const GivenOperator = z
  .object({
    name: asSeen('name', z.string('name is a text')),
    can: z.array(
      z.enum(permissions, `can lists permissions: ${permissions.join(', ')}`),
      `can lists what they may do: ${permissions.join(', ')}`,
    ),
    companies: z.custom<readonly string[] | 'all'>(
      (given) => given === 'all' || (Array.isArray(given) && given.every((id) => typeof id === 'string' && id !== '')),
      'companies is "all", or a list of the ids of their companies as texts',
    ),
  })
  .transform(
    ({ companies, ...operator }): KnownOperator => ({
      ...operator,
      reach: companies === 'all' ? 'all' : new Set(companies),
    }),
  );

const hasBearer = (c: Context<HttpEnv>): boolean => readBearer(c) !== undefined;

/**
 * Refuses bodies that a form of a foreign page can send: those of `POST` must be declared as JSON, as CSV or as bytes, unless the request has
 * a bearer token, which no form sends. Runs after authentication.
 *
 * @throws {HttpError} 400
 */
export const requireJson: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method !== 'POST' || !hasBody(c) || hasBearer(c)) return next();
  if (!otherTypes.has(essenceOf(c.req.header('content-type')))) checkJsonType(c, '');
  return next();
};

/** Types beside JSON that no form can send. */
const otherTypes: ReadonlySet<string> = new Set(['text/csv', 'application/octet-stream']);

/** The bearer token of the request, well-formed or not; another scheme is ignored. */
const readBearer = (c: Context<HttpEnv>): string | undefined => /^Bearer +(\S.*)$/i.exec(c.req.header('authorization') ?? '')?.[1];

/** Whether a request comes from a page of ours in a browser that has logged in (T20). */
export const isLoggedIn = async (c: Context<HttpEnv>, service: AdminAuthParts): Promise<boolean> =>
  isOfOurPages(c, service) && (await findSessionOperator(c, service)) !== undefined;
