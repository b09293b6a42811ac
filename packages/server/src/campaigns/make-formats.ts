// What requests for campaigns are made of, and their answers: the same at both doors, the REST API of a company and management.
import { campaignReplyMs, type JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { exampleUser } from '../platform/http/example-requests.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { QueryChoice } from '../platform/http/query.ts';
import { Audience } from './audience.ts';
import { Campaign, CampaignName, laterInstant } from './schema.ts';

export const tags = ['Campaigns'];

/** Messages a second that a campaign may ask for. */
const maxPerSecond = 1_000;

const Filling = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String)], 'a parameter is a text or a number'),
  'parameters is an object of names and texts',
);

export const Request = (nowMs: () => number) =>
  z.object({
    name: CampaignName,
    botId: z.string('botId is a text').min(1, 'botId is empty'),
    templateId: z.string('templateId is a text').min(1, 'templateId is empty'),
    audience: Audience,
    parameters: Filling.default({}),
    scheduledAt: laterInstant(nowMs).optional(),
    perSecond: z
      .int('perSecond is a whole number')
      .min(1, 'perSecond is at least 1')
      .max(maxPerSecond, `perSecond is at most ${maxPerSecond}`)
      .optional(),
  });

/** What is added to a campaign. */
export const Addition = z.object({ audience: Audience, parameters: Filling.default({}) });

const audienceField: JsonObject = {
  type: 'object',
  description: 'One of the four',
  properties: {
    users: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 512 },
      description: 'Ids of users, or contacts by con_…, phone:… or bsuid:…',
    },
    group: { type: 'string', description: 'Everybody in a group', examples: ['vip'] },
    segment: { type: 'string', description: 'Whom a segment fits now', examples: ['lima'] },
    csv: {
      type: 'string',
      description: 'Rows below a first line with a column "user" or "phone"',
      examples: ['user,code\n51999000111,A1'],
    },
  },
};
const parametersField: JsonObject = {
  type: 'object',
  description: 'Texts with {{user.names}}, {{user.fields.KEY}} or, of a CSV, {{row.COLUMN}}',
  additionalProperties: { type: 'string' },
};

export const requestSchema: JsonObject = {
  type: 'object',
  required: ['name', 'botId', 'templateId', 'audience'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 500 },
    botId: { type: 'string' },
    templateId: { type: 'string', description: 'The id or the element name of an approved template of the bot' },
    audience: audienceField,
    parameters: parametersField,
    scheduledAt: { type: 'string', format: 'date-time', description: 'With a time zone, and later than now; at once, when left out' },
    perSecond: { type: 'integer', minimum: 1, maximum: maxPerSecond, description: 'Messages a second, at most' },
  },
};

export const recipientsSchema: JsonObject = {
  type: 'object',
  required: ['audience'],
  properties: { audience: audienceField, parameters: parametersField },
};
export const changeSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 500 },
    scheduledAt: { type: 'string', format: 'date-time', description: 'With a time zone, and later than now' },
  },
} as const;

export const recipientsTold = 'Whom, and what their template is filled with';

export const DryRunQuery = z.object({
  dryRun: QueryChoice('dryRun', ['true', 'false'])
    .optional()
    .openapi({ description: 'true counts what the campaign would be, and writes nothing' }),
});

const DryRun = z
  .object({
    recipients: z.int().openapi({ description: 'People, each once, also those without consent' }),
    duplicates: z.int().openapi({ description: 'Further mentions of the same people' }),
    noConsent: z.int().openapi({ description: 'Of the recipients those who have stopped such messages' }),
    missingParameters: z
      .array(z.object({ user: z.string().openapi({ example: '51999000333' }), parameter: z.string() }))
      .readonly()
      .openapi({ description: 'For whom nothing is known; 1,000 at most' }),
  })
  .openapi('CampaignDryRun');

export const Added = z.object({ added: z.int(), duplicates: z.int() }).openapi('AddedRecipients');

export const Report = z
  .object({
    recipients: z.int(),
    pending: z.int(),
    sent: z.int().openapi({ description: 'Taken by the provider and not failed since: also those that arrived' }),
    delivered: z.int().openapi({ description: 'Arrived: also those that were read' }),
    read: z.int(),
    failed: z.record(z.string(), z.int()).openapi({ description: 'By code', example: { INVALID_PARAMETERS: 2 } }),
    skipped: z.object({ consent: z.int() }),
    replied: z.int().openapi({ description: `Who wrote within ${campaignReplyMs / 3_600_000} hours of their message` }),
  })
  .openapi('CampaignReport');

export const example = {
  name: 'Spring',
  botId: 'bot_wa',
  templateId: 'tpl1',
  audience: { users: [exampleUser.id] },
  parameters: { name: '{{user.names}}', code: 'A1' },
  scheduledAt: '2031-04-01T09:00:00-05:00',
};

export const csvAnswer = {
  description: 'A line for each recipient: user, status, messageId, error, at',
  content: { 'text/csv': { schema: { type: 'string' as const }, example: 'user,status,messageId,error,at\r\n' } },
};
export const made = { 201: jsonResponse('The campaign', Campaign) };
export const dryAnswer = jsonResponse('With dryRun=true: what the campaign would be', DryRun);

export const texts = {
  make: [
    'Makes a campaign for users, a group, a segment or the rows of a CSV',
    'Its recipients are those of now. Who has stopped such messages is counted in skipped.consent and gets nothing. With Idempotency-Key, a repeated key is the same campaign.',
  ],
  add: ['Adds recipients to a campaign that is SCHEDULED', 'Who is a recipient already, by any spelling of their number, stays once.'],
  pause: [
    'Pauses a campaign: nothing more of it is sent until it is resumed',
    'Its status stays; a message that is being handed over still leaves.',
  ],
  resume: ['Goes on with a campaign that is paused', 'One whose time has come meanwhile begins at once.'],
  results: ['What became of each recipient, as CSV', 'Texts that a spreadsheet would take for formulas begin with an apostrophe.'],
  report: ['What became of the recipients, counted', 'As of now: providers tell for days who has read a message.'],
} as const;
export const say = ([summary, description]: readonly [string, string]) => ({ tags, summary, description });
