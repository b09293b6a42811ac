// What is done with campaigns over HTTP, by either door: made, tried out, added to, paused, resumed and looked back on.
import type { JsonObject } from '@hilo/engine/contract';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { boundIssues } from '../platform/bound-issues.ts';
import { sendKeyOf } from '../messages/send-request.ts';
import { noteAct } from '../platform/http/acts.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { HttpError, invalidFields, invalidInput, notFound } from '../platform/http/errors.ts';
import { explainUnknownNames } from '../platform/http/unknown-names.ts';
import { campaigns } from '../platform/tables/campaigns.ts';
import { requireCompany } from '../tenants/companies.ts';
import { heldReason, isHeld } from '../tenants/template-status.ts';
import { addRecipients, makeCampaign, type MakingParts, tryCampaign } from './make-campaign.ts';
import { type Added, Addition, type Report, Request } from './make-formats.ts';
import { reportCampaign, writeResults } from './results.ts';
import { type Campaign, campaignView } from './schema.ts';
import { campaignOf, pauseOpen, resumePaused } from './sql.ts';

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
export async function requireCampaign({ store: { runner } }: MakingParts, companyId: string, id: string) {
  const row = await runner.readOne(campaignOf({ companyId, id }));
  if (row === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
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

/** @throws {HttpError} 404 */
export async function results(c: Context<HttpEnv>, parts: MakingParts, companyId: string, id: string): Promise<Response> {
  const campaign = await parts.store.runner.readOne(campaigns.find({ companyId, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  const lines = writeResults(parts.store.runner, { companyId, id, botId: campaign.botId });
  const bytes = ReadableStream.from(encodeChunks(lines));
  return c.body(bytes, 200, { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="results.csv"' });
}

async function* encodeChunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

/** @throws {HttpError} 404 */
export async function report(parts: MakingParts, companyId: string, id: string): Promise<z.input<typeof Report>> {
  const campaign = await parts.store.runner.readOne(campaigns.find({ companyId, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  return reportCampaign(parts.store.runner, { companyId, id, botId: campaign.botId });
}
