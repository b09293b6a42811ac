// Puts the requests of management on record that may change something, each before its handler is called.
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ActedOn, HttpEnv } from '../platform/http/context.ts';
import type { Route } from '../platform/http/define-route.ts';
import { describeFailure } from '../platform/http/errors.ts';
import type { Tenancy } from '../tenants/companies.ts';
import { createTold } from '../platform/told.ts';
import { narrowParts } from '../tenants/narrow.ts';
import { type Act, type AuditParts, type Caller, createAudit, type Via } from './audit.ts';

/** What the record calls whom nobody knows. */
const unknownContact = 'unknown';

/**
 * The id of the contact that a path names, which says nothing of the person: whoever is erased must not be named by the record of it.
 * `unknown` where there is none.
 */
export type NameContact = (params: { readonly [name: string]: string }) => Promise<string>;

/** Who calls where no credential is asked for: the host has authenticated them, or they are at this machine. */
export interface Door {
  readonly via: Via;
  /** The actor of requests without a credential. */
  readonly actor?: string;
}

/** Studios say every few seconds that a page is open, and ask what is wrong with a canvas: so many looks are one act. */
const looksTogetherMs = 3_600_000;
/** Bounds the memory that names of looks take, and the rows that guesses leave. */
const mostNames = 10_000;
const mostGuessers = 1_000;

/**
 * Records each request of a route that does not only read: one row before its handler, which is not called without it, and one after
 * with the status. What looks at something by such a request is recorded once an hour for each operator, company and operation. Handlers
 * add what they know of the object by `noteAct`.
 *
 * @returns what guards a route so
 */
export function recordActs(
  service: AuditParts & Tenancy,
  { via, actor = 'operator' }: Door,
  nameContact: NameContact,
): (route: Pick<Route<never>, 'method' | 'permission' | 'path' | 'operationId' | 'onRecord'>) => MiddlewareHandler<HttpEnv> {
  const audit = createAudit(service);
  const looks = createTold(service.clock, { everyMs: looksTogetherMs, most: mostNames });
  return ({ method, permission, path, operationId: action, onRecord = false }) => {
    if (!onRecord && method === 'get') return (_c, next) => next();
    const isLook = !onRecord && permission === 'view';
    return async (c, next) => {
      if (c.get('credential') === undefined) c.set('credential', actor);
      const act: Act = { requestId: c.get('requestId') ?? randomUUID(), actor: c.get('credential'), via, action };
      const params: { readonly [name: string]: string } = c.req.param();
      // Users of a workspace are contacts, which are named there by their number.
      const isPerson = path.includes('/contacts/{id}') || (params['kind'] === 'users' && params['id'] !== undefined);
      const on = {
        ...(isPerson ? { kind: 'contact', id: await nameContact(params) } : findObject(path, params)),
        companyId: findCompany(
          narrowParts({ companies: service.companies }, c.get('reach')),
          params['companyId'] ?? c.req.query('companyId'),
        ),
      };
      const look = JSON.stringify([act.actor, action, on.companyId]);
      if (isLook && !looks.isDue(look)) return next();
      await audit.ask(act, on);
      if (isLook) looks.add(look);
      await next();
      const made = isPerson && on.id === unknownContact ? { id: await nameContact(params) } : {};
      await audit.settle(act, { ...on, ...made, ...c.get('audit') }, c.res.status);
      return undefined;
    };
  };
}

/**
 * Records a login that was refused, once an hour for each network and for so many networks: whoever guesses fills no disk.
 *
 * @returns what records one
 */
export function recordRefusals(service: AuditParts): (requestId: string, network: string) => Promise<void> {
  const audit = createAudit(service);
  const guessers = createTold(service.clock, { everyMs: looksTogetherMs, most: mostGuessers });
  return async (requestId, network) => {
    if (!guessers.isDue(network)) return;
    guessers.add(network);
    await audit.settle({ requestId, actor: 'nobody', via: 'http', action: 'logIn' }, { kind: 'address', id: network }, 401);
  };
}

/** Records an act beside the routes of management, such as a command's: one row before it and one after. */
export async function recordAct<Answer>(
  service: AuditParts,
  { requestId = randomUUID(), ...caller }: Caller & Pick<Act, 'action'> & Partial<Pick<Act, 'requestId'>>,
  on: ActedOn,
  perform: () => Promise<Answer>,
): Promise<Answer> {
  const audit = createAudit(service);
  const act: Act = { ...caller, requestId };
  await audit.ask(act, on);
  try {
    const answer = await perform();
    await audit.settle(act, on, 200);
    return answer;
  } catch (error) {
    const { status } = describeFailure(error, { error: () => undefined }, { requestId: act.requestId, surface: 'management' });
    await audit.settle(act, on, status);
    throw error;
  }
}

/**
 * The record that a path names: by its last id, of the kind that the parameter or else the collection is called after. Versions, transcripts
 * and the like mean nothing without their workflow: that is the object, and they are facts about it.
 */
export function findObject(path: string, params: { readonly [name: string]: string }): Pick<ActedOn, 'kind' | 'id' | 'after'> {
  const { kind, id, workflowId, ...inner } = params;
  if (kind !== undefined && id !== undefined) return { kind, id };
  if (workflowId !== undefined) return { kind: 'workflow', id: workflowId, ...(Object.keys(inner).length > 0 && { after: inner }) };
  const last = Object.entries(params).at(-1);
  if (last === undefined) return {};
  const collection = path.split(`/{${last[0]}}`, 1)[0]?.split('/').at(-1) ?? '';
  return { kind: last[0] === 'id' ? collection.replace(/s$/, '') : last[0].replace(/Id$/, ''), id: last[1] };
}

/** The company of a request: the named one, or the only one. */
function findCompany({ companies }: Tenancy, named: string | undefined): string | undefined {
  if (named !== undefined) return companies.company(named)?.id;
  const [only, another] = companies.all();
  return another === undefined ? only?.id : undefined;
}
