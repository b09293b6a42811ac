// The schema of a workspace.
import type { ChannelAdapter } from '@hilo/channels';
import { canonicalPhone, Channel, Duration, fits, JsonObject, limits, Locale, TimeZone, WorkflowId } from '@hilo/engine/contract';
import { Bsuid } from '@hilo/nodes';
import { z } from 'zod';
import { Consent, ContactFields } from '../contact-fields.ts';
import { inWords } from '../../platform/in-words.ts';
import { asSeen } from '../../platform/shown-names.ts';
import { longestTranscript, maxTranscripts, transcriptName } from '../../platform/database/transcripts.ts';
import { explainPattern } from '../../platform/events/event-types.ts';
import { explainSecret } from '../../platform/events/webhook-signature.ts';
import type { KeepDays, LimitName } from '../../platform/tables/companies.ts';
import { templateCategories, templateStatuses } from './template-words.ts';
import {
  Count,
  GivenName,
  HeaderSecret,
  Id,
  Instant,
  isSecretField,
  list,
  Name,
  NumberId,
  optional,
  Secret,
  Text,
  UserId,
} from './fields.ts';

/** A client of the REST API (AUT-01). Basic credentials are split at the first colon, so the id has none. */
const Client = z.strictObject({
  clientId: asSeen('A client id', Text.regex(/^[^:\p{Cc}]{1,256}$/u, 'A client id has 1 to 256 characters and no colon')),
  clientSecret: Secret,
});

/** A key for the gateway (AUT-02, AUT-12). */
const ApiKey = z.strictObject({
  id: Id,
  key: HeaderSecret,
  name: optional(Name),
  createdAt: optional(Instant),
  revokedAt: optional(Instant),
});

/** A token of the older kind for one function (TOK rules, AUT-09). */
const RuntimeToken = z.strictObject({
  id: Id,
  name: Name,
  token: HeaderSecret.refine((token) => token === undefined || /^[a-z]+_rt_/.test(token), {
    error: 'A runtime token begins with a prefix that ends in "rt_", such as "hfn_rt_"',
  }),
  createdAt: optional(Instant),
  lastUsedAt: optional(Instant),
  revokedAt: optional(Instant),
});

const Tool = z.strictObject({
  name: z.string().regex(/^[\w-]{1,128}$/, 'The name of a tool has 1 to 128 letters, digits, "_" or "-"'),
  description: Text.max(10_000),
  inputSchema: z.record(z.string(), z.json()),
});

/** A deployed function: its module, in a file or as it is. */
const Function = z
  .strictObject({
    id: Id,
    name: Name,
    file: optional(Text.min(1)),
    source: optional(Text.max(1_000_000)),
    tools: z.array(Tool).default([]),
    runtimeTokens: z.array(RuntimeToken).default([]),
  })
  .refine(({ file, source }) => (file === undefined) !== (source === undefined), {
    error: 'A function has either "file" or "source"',
    path: ['file'],
  });

const field = Text.min(1).max(65_536);

const databaseServer = {
  host: field,
  port: z.int().min(1).max(65_535).exactOptional(),
  database: field,
  username: field,
  password: Secret,
  tls: z.enum(['verify', 'off']).default('verify'),
  readOnly: z.boolean().default(false),
};

/** What signs a call of a canvas in, of the kinds of `HttpCredential` in `@hilo/drivers`, and what gets such a one. Canvases name it by id. */
export const Credential = z.discriminatedUnion('kind', [
  z.strictObject({ id: Id, kind: z.literal('basic'), username: Text.regex(/^[^:]*$/, 'A user name has no colon'), password: Secret }),
  z.strictObject({ id: Id, kind: z.literal('bearer'), token: Secret }),
  z.strictObject({ id: Id, kind: z.literal('api-key'), in: z.enum(['header', 'query']).default('header'), name: field, value: Secret }),
  z.strictObject({ id: Id, kind: z.literal('client-certificate'), cert: field, key: Secret, passphrase: Secret }),
  z.strictObject({
    id: Id,
    kind: z.literal('oauth2'),
    tokenUrl: z.url({ protocol: /^https?$/, error: 'It must be an address such as https://login.example.com/oauth/token' }).max(2_048),
    authorizationUrl: optional(
      z.url({ protocol: /^https?$/, error: 'It must be an address such as https://login.example.com/authorize' }).max(2_048),
    ),
    clientId: field,
    clientSecret: Secret,
    refreshToken: Secret,
    scope: optional(field),
    audience: optional(field),
    clientAuth: z.enum(['header', 'body']).default('header'),
  }),
  // Not a call: an account with a payment provider.
  z.strictObject({
    id: Id,
    kind: z.literal('stripe'),
    secretKey: HeaderSecret,
    webhookSecret: HeaderSecret,
    baseUrl: optional(z.url({ protocol: /^https?$/, error: 'It must be an address such as https://api.stripe.com' })),
  }),
  // Connections of the node `database`, of the kinds of `DatabaseCredential` in `@hilo/drivers`.
  z.strictObject({ id: Id, kind: z.literal('postgresql'), ...databaseServer, schema: field.default('public') }),
  z.strictObject({ id: Id, kind: z.literal('mysql'), ...databaseServer }),
  z.strictObject({ id: Id, kind: z.literal('sqlite'), file: field, readOnly: z.boolean().default(false) }),
]);
export type Credential = z.output<typeof Credential>;

/** The fields of a credential that are secrets, and whether it is of any use without them. */
export const credentialSecrets: { readonly [Kind in Credential['kind']]: { readonly [field: string]: 'required' | 'optional' } } = {
  basic: { password: 'required' },
  bearer: { token: 'required' },
  'api-key': { value: 'required' },
  'client-certificate': { key: 'required', passphrase: 'optional' },
  oauth2: { clientSecret: 'required', refreshToken: 'optional' },
  stripe: { secretKey: 'required', webhookSecret: 'required' },
  postgresql: { password: 'required' },
  mysql: { password: 'required' },
  sqlite: {},
};

/** A group of operators. */
const Team = z.strictObject({ id: NumberId, name: Name });

/** A person who answers users. */
const Operator = z.strictObject({
  id: NumberId,
  names: Name,
  email: z.email(),
  teamIds: z.array(NumberId).default([]),
  leftAt: optional(Instant),
});

const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'A colour looks like #7c3aed');

/** A label for rooms (TAG rules). */
const Tag = z.strictObject({
  id: NumberId,
  name: Name,
  color: Colour,
  textColor: Colour.default('#ffffff'),
  language: Name.default('en'),
  teams: z.array(NumberId).default([]),
  channels: z.array(Channel).default([]),
});

/** Where a bot and a user meet. */
const Room = z.strictObject({ id: Id, botId: Id, userId: UserId, tags: z.array(NumberId).default([]) });

/** Whether the sum stays a safe integer. */
const isCountable = (times: readonly number[]): boolean => Number.isSafeInteger(times.reduce((sum, ms) => sum + ms, 0));

/** A case that an operator attended, or will (CON rules). */
const Conversation = z
  .strictObject({
    _id: Id,
    roomId: optional(Id),
    botId: Id,
    userId: UserId,
    operatorId: optional(NumberId),
    teamName: optional(Text),
    state: z.enum(['active', 'closed', 'resolved', 'expired', 'transferred']),
    wasReplied: z.boolean().default(false),
    endedReason: optional(Text),
    origin: Name.default('organic'),
    startAt: Instant,
    endAt: optional(Instant),
    firstRepliedAtOperator: optional(Instant),
    operatorResponseTimesMs: z.array(Count).default([]).refine(isCountable, 'These times add up to more than can be counted'),
    childConversation: optional(Id),
    parentConversation: optional(Id),
    lastMessageBy: optional(z.enum(['operator', 'user', 'bot'])),
  })
  .refine(({ startAt, endAt }) => endAt === undefined || endAt >= startAt, {
    error: 'A conversation does not end before it starts',
    path: ['endAt'],
  })
  .refine(({ state, endAt }) => state !== 'active' || endAt === undefined, {
    error: 'A conversation that is active has no end (CON-14)',
    path: ['endAt'],
  })
  .refine(({ startAt, firstRepliedAtOperator }) => firstRepliedAtOperator === undefined || firstRepliedAtOperator >= startAt, {
    error: 'A conversation is not replied to before it starts',
    path: ['firstRepliedAtOperator'],
  });

/** A bot's provider, as a workspace gives it. */
interface GivenProvider {
  readonly kind: string;
  /** Fields that are not secret. */
  readonly fields: JsonObject;
  /** Secrets by field. One that is left out keeps its stored value. */
  readonly secrets: { readonly [field: string]: string };
}

/** Settings of a bot; those left out have the defaults of UID-05, WIN-02 and WIN-03. */
const Settings = z.strictObject({
  userIdFormat: z.enum(['strict', 'open']).exactOptional(),
  enforceSessionWindow: z.boolean().exactOptional(),
  templateReopensWindow: z.enum(['onSend', 'onReply']).exactOptional(),
  environment: z.enum(['live', 'test']).exactOptional(),
});

/** A bot: one channel of a company. Its `provider` is of a kind that there is an adapter for. */
function botSchema(adapters: readonly ChannelAdapter[]) {
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]));
  const Provider = z.discriminatedUnion('kind', adapters.map(providerSchema) as [z.ZodObject, ...z.ZodObject[]]);
  return z
    .strictObject({ id: Id, name: Name, channel: Channel, connectedAt: Instant, provider: Provider, settings: Settings.default({}) })
    .transform(({ provider, ...bot }, context) => {
      const kind = String(provider['kind']);
      const { channels = [], secrets = [] } = byKind.get(kind) ?? {};
      if (!channels.includes(bot.channel))
        context.addIssue({
          code: 'custom',
          path: ['channel'],
          message: `A provider of kind "${kind}" serves the channel ${channels.join(' or ')}, not ${bot.channel}`,
        });
      const { kind: _kind, ...given } = provider;
      const isSecret = (field: string): boolean => secrets.includes(field);
      const fields = JsonObject.safeParse(
        Object.fromEntries(Object.entries(given).filter(([field, value]) => !isSecret(field) && value !== undefined)),
      );
      if (!fields.success)
        context.addIssue({ code: 'custom', path: ['provider'], message: `The adapter of "${kind}" makes of its fields what is no JSON` });
      return { ...bot, provider: { kind, fields: fields.data ?? {}, secrets: pickTexts(given, isSecret) } satisfies GivenProvider };
    });
}

/** What an adapter wants of a workspace: a secret may be left out where it is kept already. */
function providerSchema({ kind, config, secrets }: ChannelAdapter): z.ZodObject {
  const shape: { readonly [field: string]: z.ZodType } = config.shape;
  const leftOut = Object.entries(shape).flatMap(([field, schema]) =>
    secrets.includes(field) ? [[field, optional(schema).meta(isSecretField)]] : [],
  );
  return config.extend({ ...Object.fromEntries(leftOut), kind: z.literal(kind) });
}

const pickTexts = (given: { readonly [field: string]: unknown }, isOne: (field: string) => boolean): { readonly [field: string]: string } =>
  Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => (isOne(field) && typeof value === 'string' ? [[field, value]] : [])),
  );

/** Digits alone, as VAR-04 has them; never rewritten by country. */
const Phone = Text.transform((text, context) => {
  const phone = canonicalPhone(text);
  if (phone !== null) return phone;
  context.addIssue(`"${text.slice(0, 64)}" is not a phone number: 2 to 15 digits, country code first`);
  return z.NEVER;
});

/** A user, and when they last wrote to which bot: that opens the 24-hour window (WIN-01). */
export const User = z.strictObject({
  id: UserId,
  names: optional(GivenName),
  phone: optional(Phone),
  bsuid: optional(Bsuid),
  /** Before the company's, for this user. */
  timeZone: optional(TimeZone),
  locale: optional(Locale),
  lastMessageAt: z.record(Id, z.union([z.literal('now'), Instant], 'a last message is "now", or ISO 8601 with a zone')).default({}),
});

/** A template that a provider approved, or will (TPL-03). */
const Template = z
  .strictObject({
    id: Id,
    botId: Id,
    elementName: Name,
    language: Name,
    category: z.enum(templateCategories),
    status: z.enum(templateStatuses),
    body: optional(Text.max(65_536)),
    components: optional(z.union([z.array(JsonObject), JsonObject])),
  })
  .refine(({ body = '', components = [] }) => body !== '' || Object.keys(components).length > 0, {
    error: 'A template needs a "body" that is not empty, "components", or both',
    path: ['body'],
  });

const Recipient = z.strictObject({ userId: UserId, parameters: z.record(z.string(), Text).default({}) });

/** A campaign (CAM rules). */
const Campaign = z
  .strictObject({
    id: Id,
    name: Name,
    elementName: Name,
    templateId: Id,
    botId: Id,
    status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'SCHEDULED', 'CANCELLED']),
    scheduledAt: optional(Instant),
    createdAt: Instant,
    completedAt: optional(Instant),
    totalMessages: optional(Count),
    deliveredMessages: Count.default(0),
    failedMessages: Count.default(0),
    recipients: list(Recipient),
  })
  .transform((campaign) => ({ ...campaign, totalMessages: campaign.totalMessages ?? campaign.recipients.length }))
  .superRefine(({ status, scheduledAt, recipients, totalMessages, deliveredMessages, failedMessages }, context) => {
    if (status === 'SCHEDULED' && scheduledAt === undefined)
      context.addIssue({ code: 'custom', path: ['scheduledAt'], message: 'A campaign that is SCHEDULED needs "scheduledAt"' });
    if (recipients.length > totalMessages)
      context.addIssue({ code: 'custom', path: ['totalMessages'], message: 'There are more recipients than messages in all' });
    if (deliveredMessages + failedMessages > totalMessages)
      context.addIssue({ code: 'custom', path: ['totalMessages'], message: 'More messages are delivered or failed than there are in all' });
  });

/** Groups an operator's messages (GRP-01): 1 to 20 seconds. */
const OperatorGrouping = z.strictObject({
  enabled: z.boolean(),
  window: Duration.refine((windowMs) => windowMs >= 1_000 && windowMs <= 20_000, { error: 'The window is PT1S to PT20S' }),
});

export const tooLargeSettings = `Settings have at most ${limits.valueBytes} bytes as JSON: each execution has them`;

/** Any values, which canvases read as `$company.settings`; those that Hilo itself reads are checked. */
const CompanySettings = z
  .record(z.string(), z.json())
  .meta({
    properties: {
      operatorGrouping: z.toJSONSchema(OperatorGrouping, { io: 'input', unrepresentable: 'any' }),
      test: { type: 'object', additionalProperties: {} },
    },
  })
  .superRefine((settings, context) => {
    if (!fits(settings, { depth: limits.depth, keys: limits.keys }))
      context.addIssue({ code: 'custom', message: `Settings have at most ${limits.keys} keys and ${limits.depth} levels` });
    else if (Buffer.byteLength(JSON.stringify(settings)) > limits.valueBytes)
      context.addIssue({ code: 'custom', message: tooLargeSettings });
    const { operatorGrouping } = settings;
    if (operatorGrouping === undefined) return;
    const { error } = OperatorGrouping.safeParse(operatorGrouping, { error: inWords });
    context.issues.push(
      ...(error?.issues ?? []).map((issue) => ({ ...issue, path: ['operatorGrouping', ...issue.path], input: undefined })),
    );
  })
  .transform((settings): JsonObject => settings);

/** A canvas of the company: in a file, or as it is. */
const Workflow = z
  .strictObject({
    file: optional(Text.min(1)),
    canvas: optional(z.unknown()),
    /** Else it is kept as a draft. */
    publish: z.boolean().default(false),
    /** A draft that differs from the published version, as exports of workflows in progress have it. */
    draft: optional(z.unknown()),
    /** Conversations that are kept as its tests, by name. */
    transcripts: optional(
      z
        .record(z.string().regex(transcriptName, 'A name has 1 to 100 letters, digits, "_", "." or "-"'), z.string().max(longestTranscript))
        .refine((given) => Object.keys(given).length <= maxTranscripts, { error: `A workflow keeps ${maxTranscripts} transcripts` }),
    ),
  })
  .refine(({ file, canvas }) => (file === undefined) !== (canvas === undefined), {
    error: 'A workflow has either "file" or "canvas"',
    path: ['file'],
  });

/** None at all is a limit as well. */
const Limit = z.int().min(0).max(1_000_000_000);

/** What a company may take of the service. */
const Limits = z.strictObject({
  startsPerMinute: optional(Limit),
  messagesPerMinute: optional(Limit),
  openExecutions: optional(Limit),
  storageMb: optional(Limit),
} satisfies Record<LimitName, unknown>);

/** Who is told of what happens in the company. */
const EventSubscription = z.strictObject({
  id: Id,
  url: Text.regex(/^https?:\/\//, 'An address begins with https:// or http://').max(2_048),
  events: z
    .array(
      z.string().superRefine((pattern, context) => {
        const problem = explainPattern(pattern);
        if (problem !== undefined) context.addIssue(problem);
      }),
    )
    .min(1)
    .max(50),
  secret: optional(
    z.string().superRefine((secret, context) => {
      const problem = explainSecret(secret);
      if (problem !== undefined) context.addIssue(problem);
    }),
  ),
  paused: z.boolean().default(false),
  createdAt: optional(Instant),
});

/** After how many days what a company keeps is removed, where sooner than the service's own. */
const KeptDays = z.strictObject({
  messages: optional(z.int().min(1).max(36_500)),
  histories: optional(z.int().min(1).max(36_500)),
} satisfies Record<keyof KeepDays, unknown>);

/** How long the bot is silent after a person has written from the provider's app. */
const Takeover = z
  .string()
  .meta({ examples: ['PT30M', 'never'] })
  .refine((text) => text === 'never' || Duration.safeParse(text).success, {
    error: 'This is "never" or a duration above zero in ISO 8601, such as PT30M',
  });

const companySchema = (adapters: readonly ChannelAdapter[]) =>
  z.strictObject({
    id: NumberId,
    name: Name,
    kind: z.enum(['self-service', 'enterprise']).default('self-service'),
    plan: z.enum(['free', 'builder', 'growth', 'enterprise']),
    timeZone: optional(TimeZone),
    locale: optional(Locale),
    /** Started with `$input.failure` when an execution fails. */
    failureWorkflowId: optional(WorkflowId),
    /** What is kept of contacts beside their names. */
    fields: optional(ContactFields),
    /** How people stop marketing messages, and allow them again. */
    consent: optional(Consent),
    settings: CompanySettings.default({}),
    limits: optional(Limits),
    keepDays: optional(KeptDays),
    takeover: optional(Takeover),
    clients: list(Client),
    apiKeys: list(ApiKey),
    bots: list(botSchema(adapters)),
    users: list(User),
    templates: list(Template),
    campaigns: list(Campaign),
    teams: list(Team),
    operators: list(Operator),
    tags: list(Tag),
    rooms: list(Room),
    conversations: list(Conversation),
    functions: list(Function),
    credentials: list(Credential),
    eventSubscriptions: list(EventSubscription),
    workflows: list(Workflow),
  });
/** A company of a workspace file, as it was read. */
export type WorkspaceCompany = z.output<ReturnType<typeof companySchema>>;

/**
 * The schema of a workspace: everything that belongs to companies, as a file describes it. Unknown fields are refused.
 *
 * @param adapters - the kinds of provider that bots may have
 */
export const workspaceSchema = (adapters: readonly ChannelAdapter[]) =>
  z.strictObject({ $schema: optional(z.string()), companies: z.array(companySchema(adapters)) });
export type WorkspaceSchema = ReturnType<typeof workspaceSchema>;
export type Workspace = z.output<WorkspaceSchema>;
