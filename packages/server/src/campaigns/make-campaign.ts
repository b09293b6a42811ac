// Makes a campaign of an audience: judged before anything is written, tried out as a dry run, and open once all its recipients are there.
import { createHash, randomUUID } from 'node:crypto';
import { asCondition, type Call, type GivenOf } from '@hilo/stores';
import { explainUnapproved } from '../tenants/template-status.ts';
import { explainUnsendable } from '../tenants/unsendable-templates.ts';
import { HttpError, invalidFields, notFound } from '../platform/http/errors.ts';
import { campaigns, recipients as recipientTable } from '../platform/tables/campaigns.ts';
import { phoneSpellings } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes/effects';
import { templates } from '../platform/tables/templates.ts';
import { meetPeople } from '../platform/database/people.ts';
import type { FindingParts } from '../segments/segments.ts';
import type { ReadyParts } from '../templates/templates.ts';
import type { Bot, Company, MessageTemplate } from '../tenants/companies.ts';
import { type Addressee, type Audience, compileFilling, fillParameters, type Filled, readAudience } from './audience.ts';
import { campaignOf, growScheduled, openMade } from './sql.ts';

/** What the making works with. */
export type MakingParts = FindingParts & ReadyParts;

/** A campaign that is asked for. */
export interface CampaignRequest {
  readonly name: string;
  readonly botId: string;
  readonly templateId: string;
  readonly audience: Audience;
  readonly parameters: { readonly [name: string]: string };
  readonly scheduledAt?: number | undefined;
  readonly perSecond?: number | undefined;
}

/** What a campaign would be; nothing is written for it. */
export interface DryRun {
  /** People, each once: also those without consent, who get nothing. */
  readonly recipients: number;
  /** Further mentions of people who are recipients already. */
  readonly duplicates: number;
  readonly noConsent: number;
  /** Parameters for which nothing is known of somebody; so many at most. */
  readonly missingParameters: readonly { readonly user: string; readonly parameter: string }[];
}

/** Missing parameters that a dry run names. */
const maxMissing = 1_000;

/** A request whose bot and template are found. */
interface Judged {
  readonly company: Company;
  readonly bot: Bot;
  readonly template: MessageTemplate;
  readonly filling: ReturnType<typeof compileFilling>;
}

/** @throws {HttpError} 404 for an unknown bot; 400 `INVALID_TEMPLATE`, `INVALID_PARAMETERS`; 422 for an expression that is none */
function judge(parts: MakingParts, company: Company, { botId, templateId, parameters }: CampaignRequest): Judged {
  const bot = parts.companies.botOf(company.id, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  const template = findTemplateOf(parts, bot, templateId);
  return { company, bot, template, filling: compileFilling(template, parameters, company.fields ?? []) };
}

/** The approved template of a bot by its id or its element name. @throws {HttpError} 400 `INVALID_TEMPLATE` */
function findTemplateOf({ companies, channels }: MakingParts, bot: Bot, name: string): MessageTemplate {
  const isUsable = (template: MessageTemplate): boolean => template.botId === bot.id && template.status === 'APPROVED';
  const byId = companies.template(bot.companyId, name);
  const template = byId ?? companies.templates(bot.companyId).find((one) => one.elementName === name && isUsable(one));
  if (template === undefined || !isUsable(template)) {
    throw new HttpError(400, 'INVALID_TEMPLATE', explainUnapproved(name, bot.id, template));
  }
  const unsendable = explainUnsendable(template.id, [template], channels.adapters, () => bot.provider.kind);
  if (unsendable !== undefined)
    throw new HttpError(400, 'INVALID_TEMPLATE', `Template "${name}" can never be sent by bot "${bot.id}": ${unsendable}`);
  return template;
}

/** People of an audience, each once, with their parameters. */
interface Chosen {
  readonly chosen: readonly (Addressee & Filled)[];
  readonly duplicates: number;
}

/** Reads an audience page by page. A group and a segment have each person once; of a list, who was seen is remembered. */
async function* choosePeople(parts: MakingParts, judged: Judged, audience: Audience): AsyncGenerator<Chosen, void, undefined> {
  const { company, bot, filling } = judged;
  const isList = audience.users !== undefined || audience.csv !== undefined;
  const seen = new Set<string>();
  for await (const page of readAudience(parts, company, bot, audience, filling.columns)) {
    const once = page.filter(({ personKey }) => {
      if (!isList) return true;
      const isNew = !seen.has(personKey);
      seen.add(personKey);
      return isNew;
    });
    const filled = await fillParameters(parts, company, filling, once);
    const chosen = once.map((addressee, index) => ({ ...addressee, ...(filled[index] ?? { parameters: {}, missing: [] }) }));
    yield { chosen, duplicates: page.length - once.length };
  }
}

/** Counts what a campaign would be, and writes nothing. @throws {HttpError} as the making */
export async function tryCampaign(parts: MakingParts, company: Company, request: CampaignRequest): Promise<DryRun> {
  const judged = judge(parts, company, request);
  const needsConsent = company.consent?.categories.includes(judged.template.category) === true;
  const missingParameters: { user: string; parameter: string }[] = [];
  let [recipients, duplicates, noConsent] = [0, 0, 0];
  for await (const page of choosePeople(parts, judged, request.audience)) {
    recipients += page.chosen.length;
    duplicates += page.duplicates;
    for (const { userId, person, missing } of page.chosen) {
      if (needsConsent && person?.marketing === 'revoked') noConsent += 1;
      if (missingParameters.length < maxMissing) missingParameters.push(...missing.map((parameter) => ({ user: userId, parameter })));
    }
  }
  return { recipients, duplicates, noConsent, missingParameters: missingParameters.slice(0, maxMissing) };
}

/**
 * Makes a campaign. Its recipients are those of the audience now; a large one is written page by page, and the campaign is CANCELLED until
 * the last of them, so that one whose making was cut off reaches nobody and says so.
 *
 * @param key - the same again is the same campaign
 * @returns its row
 * @throws {HttpError} 404 for an unknown bot, group, segment or contact; 400 `INVALID_TEMPLATE`, `INVALID_PARAMETERS`; 422 for an empty audience
 */
export async function makeCampaign(parts: MakingParts, company: Company, request: CampaignRequest, key: string | undefined) {
  const { runner } = parts.store;
  const id = key === undefined ? `camp_${randomUUID().replaceAll('-', '')}` : keyedId(company.id, key);
  const place = { companyId: company.id, id };
  const before = key === undefined ? undefined : await runner.readOne(campaignOf(place));
  if (before !== undefined) return before;
  const judged = judge(parts, company, request);
  refuseMissing(judged, request);
  const { name, scheduledAt, perSecond } = request;
  const made: GivenOf<typeof campaigns.columns> = {
    companyId: company.id,
    id,
    name,
    elementName: judged.template.elementName,
    templateId: judged.template.id,
    botId: judged.bot.id,
    status: 'CANCELLED',
    createdAtMs: parts.clock.now(),
    totalMessages: 0,
    deliveredMessages: 0,
    failedMessages: 0,
    ...(scheduledAt !== undefined && { scheduledAtMs: scheduledAt }),
    ...(perSecond !== undefined && { perSecond }),
  };
  let waiting: readonly Call[] = campaigns.insert([made]);
  let [total, isBegun] = [0, false];
  for await (const { chosen } of choosePeople(parts, judged, request.audience)) {
    if (isBegun) {
      await runner.write(waiting);
      waiting = [];
    }
    if (chosen.length === 0) continue;
    isBegun = true;
    waiting = [...waiting, ...recipientTable.insertMissing(toRecipients(company.id, id, chosen, total)), ...meetUnknown(judged, chosen)];
    total += chosen.length;
  }
  if (total === 0) throw invalidFields({ audience: ['the audience is empty: nobody is in it'] });
  const opening = asCondition(openMade({ ...place, status: scheduledAt === undefined ? 'PENDING' : 'SCHEDULED', total }));
  const templateStays = asCondition(keepTemplate({ companyId: company.id, id: judged.template.id }));
  const { failed } = await runner.write([templateStays, ...waiting, opening]);
  if (failed === templateStays)
    throw new HttpError(400, 'INVALID_TEMPLATE', explainUnapproved(request.templateId, judged.bot.id, undefined));
  const row = await runner.readOne(campaignOf(place));
  if (row === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `Campaign "${id}" was removed meanwhile`);
  return row;
}

/** Gives a row for a template that is there, which stays until the end of the transaction: its removal waits, and then finds it in use. */
const keepTemplate = templates.change({ id: templates.columns.id }, (rows, { id }) =>
  rows.set(({ ref }) => ({ category: ref('category') })).where('id', '=', id),
);

/** A parameter that is given for nobody. @throws {HttpError} 400 */
function refuseMissing({ template, filling: { required } }: Judged, { parameters }: CampaignRequest): void {
  const missing = [...required].filter((name) => !Object.hasOwn(parameters, name));
  if (missing.length > 0)
    throw new HttpError(
      400,
      'INVALID_PARAMETERS',
      `The parameters of template "${template.id}" do not match: ${missing.join(', ')} missing`,
    );
}

const keyedId = (companyId: string, key: string): string =>
  `camp_${createHash('sha256')
    .update(JSON.stringify([companyId, key]))
    .digest('hex')
    .slice(0, 32)}`;

const toRecipients = (companyId: string, campaignId: string, chosen: Chosen['chosen'], from: number) =>
  chosen.map(({ userId, parameters }, index) => ({
    companyId,
    campaignId,
    userId,
    position: from + index,
    parameters,
    status: 'pending',
  }));

/** Recipients whom nobody knew are known from now on; those whom the bot could never reach are not. */
function meetUnknown({ company, bot }: Judged, chosen: Chosen['chosen']): readonly Call[] {
  const isReached = (userId: string): boolean => userIdProblem(userId, bot.channel, bot.settings.userIdFormat) === undefined;
  return meetPeople(
    { companyId: company.id, botId: bot.id },
    chosen.flatMap(({ userId, person }) => (person === undefined && isReached(userId) ? [userId] : [])),
  );
}

/** How often an addition is tried again after another one has added some of the same people first. */
const maxAttempts = 10;

/**
 * Adds people to a campaign that is SCHEDULED. Those who are among its recipients already, by any spelling of their number, stay once.
 *
 * @returns how many were added, and how many were there
 * @throws {HttpError} 404 for an unknown campaign; 422 for one that is not SCHEDULED, with how many were added before it began
 */
export async function addRecipients(
  parts: MakingParts,
  company: Company,
  id: string,
  audience: Audience,
  parameters: { readonly [name: string]: string },
): Promise<{ readonly added: number; readonly duplicates: number }> {
  const { runner } = parts.store;
  const campaign = await runner.readOne(campaigns.find({ companyId: company.id, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  const { name, botId, templateId } = campaign;
  if (campaign.status !== 'SCHEDULED') throw notOpen(campaign.status, 0);
  const request: CampaignRequest = { name, botId, templateId, audience, parameters };
  const judged = judge(parts, company, request);
  refuseMissing(judged, request);
  let [added, duplicates] = [0, 0];
  for await (const page of choosePeople(parts, judged, audience)) {
    duplicates += page.duplicates;
    for (let attempt = 1; ; attempt += 1) {
      const fresh = await findFresh(parts, company.id, id, page.chosen);
      if (fresh.length === 0) {
        duplicates += page.chosen.length;
        break;
      }
      const now = await runner.readOne(campaigns.find({ companyId: company.id, id }));
      if (now?.status !== 'SCHEDULED') throw notOpen(now?.status ?? 'gone', added);
      const { failed } = await runner.write([
        asCondition(growScheduled({ companyId: company.id, id, added: fresh.length })),
        ...recipientTable.insert(toRecipients(company.id, id, fresh, now.totalMessages)),
        ...meetUnknown(judged, fresh),
      ]);
      if (failed === undefined) {
        added += fresh.length;
        duplicates += page.chosen.length - fresh.length;
        break;
      }
      if (attempt === maxAttempts) throw invalidFields({ audience: [`the campaign is changed by others at once; ${added} were added`] });
    }
  }
  return { added, duplicates };
}

const notOpen = (status: string, added: number): HttpError =>
  invalidFields({ status: [`the campaign is ${status}: only to one that is SCHEDULED recipients can be added; ${added} were added`] });

const findRecipient = recipientTable.read(
  ['position'],
  { campaignId: recipientTable.columns.campaignId, userId: recipientTable.columns.userKey },
  (rows, { campaignId, userId }) => rows.where('campaign_id', '=', campaignId).where('user_key', '=', userId),
);

/** Those who are no recipients yet. */
async function findFresh(parts: MakingParts, companyId: string, campaignId: string, chosen: Chosen['chosen']): Promise<Chosen['chosen']> {
  const spelled = chosen.flatMap(({ userId }, index) => phoneSpellings(userId).map((spelling) => ({ index, spelling })));
  const calls = spelled.map(({ spelling }) => findRecipient({ companyId, campaignId, userId: spelling }));
  const found = await parts.store.runner.readEach(calls);
  const there = new Set(spelled.flatMap(({ index }, place) => (found[place]?.length === 0 ? [] : [index])));
  return chosen.filter((_, index) => !there.has(index));
}
