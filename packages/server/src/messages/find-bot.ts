import type { Context } from 'hono';
import type { HttpEnv } from '../platform/http/context.ts';
import { notFound } from '../platform/http/refusal.ts';
import type { Bot } from '../tenants/companies.ts';
import type { Service } from '../service.ts';

/**
 * The bot that the path names. Another company's is unknown (GEN-08, P28).
 *
 * @throws {Refusal} 404 `BOT_NOT_FOUND`
 */
export function findBot(c: Context<HttpEnv>, { companies }: Pick<Service, 'companies'>): Bot {
  const botId = c.req.param('botId') ?? '';
  const bot = companies.botOf(c.get('companyId'), botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}
