// What is done with campaigns over HTTP, by either door: made, tried out, added to, paused, resumed and looked back on.
import type { JsonObject } from '@hilo/engine/contract';
import { asCondition } from '@hilo/stores';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { boundIssues } from '../platform/bound-issues.ts';
import { sendKeyOf } from '../messages/send-request.ts';
import { noteAct } from '../platform/http/acts.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { HttpError, invalidFields, invalidInput, notFound } from '../platform/http/errors.ts';
import { streamTexts } from '../platform/http/stream-texts.ts';
import { explainUnknownNames } from '../platform/http/unknown-names.ts';
import { campaigns } from '../platform/tables/campaigns.ts';
import { requireCompany } from '../tenants/companies.ts';
import { heldReason, isHeld } from '../tenants/template-status.ts';
import { tellingEnd } from './campaign-events.ts';
import { addRecipients, makeCampaign, type MakingParts, tryCampaign } from './make-campaign.ts';
import { type Added, Addition, type Report, Request } from './make-formats.ts';
import { reportCampaign, writeResults } from './results.ts';
import { type Campaign, campaignChange, campaignView } from './schema.ts';
import { campaignOf, cancelScheduled, pauseOpen, resumePaused, statusOfCampaign, updateScheduled } from './sql.ts';

/** @throws {HttpError} 422 by field */
function read<Schema extends z.ZodObject>(schema: Schema, body: JsonObject, isClosed: boolean): z.output<Schema> {
  const unknown = isClosed ? explainUnknownNames(Object.keys(body), Object.keys(schema.shape), 'this body') : {};
  if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
  const { data, error } = boundIssues(schema).safeParse(body);
  if (error !== undefined) throw invalidInput(error);
  return data;
}

/** A request at either door. */
interface Entered {
  readonly c: Context<HttpEnv>;
  readonly companyId: string;
  readonly body: JsonObject;
  readonly isManagement: boolean;
}

export async function make({ c, companyId, body, isManagement }: Entered, parts: MakingParts, isDryRun: boolean): Promise<Response> {
  const company = requireCompany(parts, companyId);
  const request = read(
    Request(() => parts.clock.now()),
    body,
    isManagement,
  );
  if (isDryRun) return c.json(await tryCampaign(parts, company, request), 200);
  const made = campaignView(await makeCampaign(parts, company, request, sendKeyOf(c, body)?.value));
  if (isManagement) noteAct(c, { companyId, kind: 'campaign', id: made.id, after: { name: made.name, recipients: made.totalMessages } });
  return c.json(made, 201);
}

export async function add(
  { c, companyId, body, isManagement }: Entered,
  parts: MakingParts,
  campaignId: string,
): Promise<z.input<typeof Added>> {
  const company = requireCompany(parts, companyId);
  const { audience, parameters } = read(Addition, body, isManagement);
  const added = await addRecipients(parts, company, campaignId, audience, parameters);
  if (isManagement) noteAct(c, { companyId, kind: 'campaign', id: campaignId, after: { ...added } });
  return added;
}

/** @throws {HttpError} 404 */
export async function requireCampaign({ store: { runner } }: Pick<MakingParts, 'store'>, companyId: string, id: string) {
  const row = await runner.readOne(campaignOf({ companyId, id }));
  if (row === undefined) throw notThere(id);
  return row;
}

/** @throws {HttpError} 404; 422 for one that has ended */
export async function pause(parts: MakingParts, companyId: string, id: string, by: string): Promise<z.output<typeof Campaign>> {
  await parts.store.runner.write([pauseOpen({ companyId, id, nowMs: parts.clock.now(), reason: `paused by ${by}` })]);
  const row = await requireCampaign(parts, companyId, id);
  if (row.pausedAtMs === undefined) throw invalidFields({ status: [`the campaign is ${row.status}: it has nothing left to pause`] });
  return campaignView(row);
}

/** @throws {HttpError} 404; 409 while its template is stopped; 422 for one that has ended */
export async function resume(parts: MakingParts, companyId: string, id: string): Promise<z.output<typeof Campaign>> {
  const { runner } = parts.store;
  const found = await runner.readOne(campaigns.find({ companyId, id }));
  const template = found === undefined ? undefined : parts.companies.template(companyId, found.templateId);
  if (template !== undefined && isHeld(template))
    throw new HttpError(409, 'TEMPLATE_STOPPED', `Campaign "${id}" cannot go on: ${heldReason(template)}`);
  await runner.write([resumePaused({ companyId, id })]);
  const row = await requireCampaign(parts, companyId, id);
  if (row.status === 'COMPLETED' || row.status === 'CANCELLED')
    throw invalidFields({ status: [`the campaign is ${row.status}: it does not go on`] });
  return campaignView(row);
}

/** Whether a campaign is still scheduled, the statement that changes it decides (P6). */
type ChangeParts = Pick<MakingParts, 'store' | 'clock'>;

/** @throws {HttpError} 404; 422 for one that is not SCHEDULED, and by field */
export async function changeCampaign(
  { store, clock }: ChangeParts,
  companyId: string,
  id: string,
  body: unknown,
): Promise<z.output<typeof Campaign>> {
  const { data: change, error } = boundIssues(campaignChange(() => clock.now())).safeParse(body);
  if (error !== undefined) throw invalidInput(error);
  const { name, scheduledAt } = change;
  const changed = await store.runner.writeOne(updateScheduled({ companyId, id, name, scheduledAtMs: scheduledAt }));
  if (changed === undefined) throw notScheduled(await readStatus({ store }, companyId, id), 'changed');
  return campaignView(await requireCampaign({ store }, companyId, id));
}

/** @throws {HttpError} 404; 422 for one that is not SCHEDULED */
export async function cancelCampaign({ store, clock }: ChangeParts, companyId: string, id: string): Promise<void> {
  const place = { companyId, id };
  const cancelled = await store.runner.writeOne(tellingEnd(asCondition(cancelScheduled(place)), place, 'CANCELLED', clock.now()));
  if (cancelled === undefined) throw notScheduled(await readStatus({ store }, companyId, id), 'cancelled');
}

/** The status of a campaign. @throws {HttpError} 404 */
export async function readStatus({ store }: Pick<MakingParts, 'store'>, companyId: string, id: string): Promise<string> {
  const row = await store.runner.readOne(statusOfCampaign({ companyId, id }));
  if (row === undefined) throw notThere(id);
  return row.status;
}

const notThere = (campaignId: string): HttpError => notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${campaignId}"`);

const notScheduled = (status: string, what: string): HttpError =>
  invalidFields({ status: [`the campaign is ${status}: only one that is SCHEDULED can be ${what}`] });

/** @throws {HttpError} 404 */
export async function results(c: Context<HttpEnv>, parts: MakingParts, companyId: string, id: string): Promise<Response> {
  const campaign = await parts.store.runner.readOne(campaigns.find({ companyId, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  const lines = writeResults(parts.store.runner, { companyId, id, botId: campaign.botId });
  return c.body(streamTexts(lines), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="results.csv"',
  });
}

/** @throws {HttpError} 404 */
export async function report(parts: MakingParts, companyId: string, id: string): Promise<z.input<typeof Report>> {
  const campaign = await parts.store.runner.readOne(campaigns.find({ companyId, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  return reportCampaign(parts.store.runner, { companyId, id, botId: campaign.botId });
}
