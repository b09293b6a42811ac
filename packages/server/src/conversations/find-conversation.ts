// Finds the conversation that a route names, and shows it.
import { z } from '@hono/zod-openapi';
import { invalidFields, notFound, type HttpError } from '../platform/http/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bot, Company, Tenancy } from '../tenants/companies.ts';
import { requireCompany } from '../tenants/companies.ts';
import type { Chosen, Wanted } from '@hilo/nodes/effects';
import { buildFilter, listNames, pageOfConversations, findUserKeys } from './list.ts';
import { type Conversation, type ConversationQuery, describeConversation, type ListedConversation } from './schema.ts';

/** The path parameter of routes of one conversation. */
export const params = z.object({ conversationId: z.string() });
/** The group of these routes in the description of the interface. */
export const tags = ['Conversations'];

type Found = Pick<Platform, 'store' | 'clock'> & Tenancy;

/** The company and the conversation of a path, before its body is looked at (GEN-09). @throws {HttpError} 404, 422 */
export async function requireConversation(
  service: Found,
  companyId: string | undefined,
  id: string,
): Promise<{ readonly company: Company; readonly row: ListedConversation }> {
  const company = requireCompany(service, companyId);
  return { company, row: await findConversation(service, company.id, id) };
}

/** The conversation in its current state. @throws {HttpError} 404 */
export async function viewConversation(service: Found, company: Company, id: string): Promise<z.output<typeof Conversation>> {
  const { companies, clock } = service;
  return describeConversation(await findConversation(service, company.id, id), company, companies, clock.now());
}

/** @throws {HttpError} 404 */
export async function findConversation({ store }: Found, companyId: string, id: string): Promise<ListedConversation> {
  const any = {
    companyId,
    fromMs: 0 - latestMs,
    toMs: latestMs,
    limit: 1,
    offset: 0,
    botId: undefined,
    userKey: undefined,
    operatorId: undefined,
    state: undefined,
  };
  const row = await store.runner.readOne(pageOfConversations(['conversationId'])({ ...any, conversationId: id }));
  if (row === undefined) throw notFound('CONVERSATION_NOT_FOUND', `There is no conversation "${id}"`);
  return row;
}

/** Conversations of any time, the newest first. A filter that is left out matches all. */
export async function readConversationPage(
  { store }: Pick<Found, 'store'>,
  {
    companyId,
    limit,
    offset,
    userId,
    ...wanted
  }: Pick<ConversationQuery, 'botId' | 'userId' | 'operatorId' | 'state'> & {
    readonly companyId: string;
    readonly limit: number;
    readonly offset: number;
  },
  bots: readonly Pick<Bot, 'id'>[],
): Promise<readonly ListedConversation[]> {
  const userKeys =
    userId === undefined
      ? []
      : await findUserKeys(
          store.runner,
          companyId,
          bots.map(({ id }) => id),
          userId,
        );
  const { values, ...period } = buildFilter(companyId, { ...wanted, startAt: 0 - latestMs, endAt: latestMs, page: 1, limit }, userKeys);
  return store.runner.read(pageOfConversations(listNames({ values }))({ ...values, ...period, limit, offset }));
}

/** Any instant that a conversation can begin at. */
const latestMs = 8_640_000_000_000_000;

/** Only an active conversation can be changed (CON-17). */
export const notActive = ({ id }: ListedConversation, what: string): HttpError =>
  invalidFields({ state: [`conversation "${id}" has ended: only one that is active can be ${what}`] });

/** A conversation that has ended, or has no operator, takes no message. */
export const notAttended = ({ id, state }: ListedConversation, what: string): HttpError =>
  state === 'active'
    ? invalidFields({ operatorId: [`conversation "${id}" has no operator: assign it first`] })
    : invalidFields({ state: [`conversation "${id}" has ended: only one that is active ${what}`] });

/** The error when no operator is available, or not the requested one. */
export function noOperator(kind: Exclude<Chosen['kind'], 'chosen'>, { operatorId, teamId }: Wanted): HttpError {
  switch (kind) {
    case 'unknown-operator':
      return notFound('OPERATOR_NOT_FOUND', `There is no operator ${operatorId ?? ''}`);
    case 'unknown-team':
      return notFound('TEAM_NOT_FOUND', `There is no team ${teamId ?? ''}`);
    case 'of-another-team':
      return invalidFields({ operatorId: [`operator ${operatorId ?? ''} is not in team ${teamId ?? ''}`] });
    case 'no-operator':
      return invalidFields({ teamId: ['there is no operator who could attend'] });
  }
}
