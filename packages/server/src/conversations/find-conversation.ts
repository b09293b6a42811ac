import { call, written } from '@hilo/stores';
import type { z } from '@hono/zod-openapi';
import { notFound } from '../platform/http/refusal.ts';
import { type Conversation, conversationView, type ListedConversation } from './conversation-view.ts';
import { pageOfConversations } from './list-sql.ts';
import type { Bot, Company } from '../tenants/companies.ts';
import type { Service } from '../service.ts';
import { companyOf } from '../tenants/company-of.ts';

type Found = Pick<Service, 'companies' | 'store' | 'clock'>;

/** The company and the conversation of a path, before its body is looked at (GEN-09). @throws {Refusal} 404, 422 */
export async function conversationOf(
  service: Found,
  companyId: string | undefined,
  id: string,
): Promise<{ readonly company: Company; readonly row: ListedConversation }> {
  const company = companyOf(service, companyId);
  return { company, row: await findConversation(service, company.id, id) };
}

/** As it stands now. @throws {Refusal} 404 */
export async function viewConversation(service: Found, company: Company, id: string): Promise<z.output<typeof Conversation>> {
  const { companies, clock } = service;
  return conversationView(await findConversation(service, company.id, id), company, companies, clock.now());
}

/** @throws {Refusal} 404 */
export async function findConversation({ store }: Found, companyId: string, id: string): Promise<ListedConversation> {
  const any = {
    companyId,
    fromMs: 0 - latestMs,
    toMs: latestMs,
    limit: 1,
    offset: 0,
    botId: null,
    userKey: null,
    operatorId: null,
    state: null,
  };
  const row = await store.runner.readOne(call(pageOfConversations(['conversationId']), { ...any, conversationId: written(id) }));
  if (row === undefined) throw notFound('CONVERSATION_NOT_FOUND', `There is no conversation "${id}"`);
  return row;
}

/** Any instant that a conversation can begin at. */
const latestMs = 8_640_000_000_000_000;

/** @throws {Refusal} 404 */
export function botOf({ companies }: Pick<Service, 'companies'>, companyId: string, botId: string): Bot {
  const bot = companies.botOf(companyId, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}
