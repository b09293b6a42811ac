import { channels, type ContactField, type JsonObject } from '@hilo/engine/contract';
import { defineTable, flag, integer, internal, json, key, keyOf, lasting, oneOf, optional, personKeyOf, plain, text } from '@hilo/stores';

/** What a company may take of the service. */
export type CompanyLimits = { readonly [Name in LimitName]?: number | undefined };
export type LimitName = 'startsPerMinute' | 'messagesPerMinute' | 'openExecutions' | 'storageMb';

/** After how many days messages and histories of ended executions are removed, where sooner than the service's own. */
export interface KeepDays {
  readonly messages?: number | undefined;
  readonly histories?: number | undefined;
}

/** Companies; the id of one is the number of the workspace, as text. */
export const companies = defineTable(
  'companies',
  {
    companyId: key(text()),
    name: plain(),
    kind: plain(),
    plan: plain(),
    settings: json<JsonObject>(),
    /** An IANA name. */
    timeZone: optional(plain()),
    locale: optional(plain()),
    failureWorkflowId: optional(plain()),
    fields: optional(json<readonly ContactField[]>()),
    consent: optional(json<ConsentRules>()),
    /** Numbers by the name of the limit. */
    limits: optional(json<CompanyLimits>()),
    keepDays: optional(json<KeepDays>()),
    /** A duration of ISO 8601, or `never`. */
    takeover: optional(plain()),
  },
  { moves: 'stays', personal: 'none' },
);

/** Clients of the REST API (AUT-01). */
export const clients = defineTable(
  'clients',
  {
    clientId: key(plain()),
    companyId: text(),
    /** Salted scrypt. */
    secretHash: plain(),
  },
  { moves: 'stays', personal: 'none', unique: 'clientId' },
);

/** API keys (AUT-02), by their hashes. A revoked one is never restored by an old file. */
export const apiKeys = defineTable(
  'api_keys',
  {
    companyId: key(text()),
    id: key(plain()),
    name: optional(plain()),
    /** The first characters, to recognise it by. */
    prefix: plain(),
    /** SHA-256. */
    hash: plain(),
    createdAtMs: lasting(optional(integer())),
    lastUsedAtMs: lasting(optional(integer())),
    revokedAtMs: lasting(optional(integer())),
  },
  { moves: 'stays', personal: 'none', unique: 'hash', indexes: { byHash: { on: ['hash'], isUnique: true } } },
);

/** Bots without the secrets of their providers. */
export const bots = defineTable(
  'bots',
  {
    botId: key(plain()),
    companyId: text(),
    name: plain(),
    channel: oneOf(channels),
    connectedAtMs: integer(),
    providerKind: plain(),
    /** The fields of the provider that are no secrets. */
    provider: json<JsonObject>(),
    settings: json<JsonObject>(),
  },
  { moves: 'stays', personal: 'none', unique: 'botId' },
);

/** Encrypted values, of providers and credentials. */
export const secrets = defineTable(
  'secrets',
  {
    companyId: key(text()),
    /** `bot/{botId}/{field}`, `credential/{id}/{field}` or `subscription/{id}/secret`. */
    secretId: key(plain()),
    sealed: plain(),
  },
  { moves: 'stays', personal: 'none' },
);

/**
 * People of a company, each once, whichever bots know them: users of the workspace and those who wrote. The table is the store's own, which
 * reads fields and consent with a contact; what one bot has learned of a person is the engine's contact.
 */
export const people = defineTable(
  'people',
  {
    companyId: key(text()),
    /** Any spelling of a phone number finds its person (UID-07). */
    personKey: key({ ...keyOf('userId'), encode: personKeyOf }),
    userId: text(),
    names: optional(text()),
    phone: optional(plain()),
    bsuid: optional(plain()),
    timeZone: optional(plain()),
    locale: optional(plain()),
    /** Whether a workspace or an operator has given them: only those are in an export of the workspace. */
    isListed: flag(),
    /** Ours: stays the same when numbers and ids change. A trigger fills it in. */
    id: internal(optional(plain())),
    fields: internal(optional(json<{ readonly [key: string]: FieldValue }>())),
    marketing: internal(optional(plain())),
    consentAtMs: internal(optional(integer())),
    consentSource: internal(optional(plain())),
    consentEvidence: internal(optional(text())),
    firstSeenAtMs: internal(optional(integer())),
  },
  { moves: 'copied', personal: { of: 'person', column: 'personKey' }, indexes: { byId: { on: ['companyId', 'id'] } } },
);

/** The value of a field of a contact. */
export type FieldValue = string | number | boolean | string[];

/** How a company hears and keeps what people say to marketing messages. */
export interface ConsentRules {
  /** Messages that revoke the consent. */
  readonly stop: readonly string[];
  /** Messages that grant it. */
  readonly start: readonly string[];
  readonly confirmStop?: string | undefined;
  readonly confirmStart?: string | undefined;
  /** Categories of templates that need it. */
  readonly categories: readonly string[];
}

/** Credentials that canvases name, without their secrets. */
export const credentials = defineTable(
  'credentials',
  { companyId: key(text()), id: key(plain()), kind: plain(), fields: json<JsonObject>() },
  { moves: 'stays', personal: 'none' },
);

/** Workflows as a workspace last imported them: only a changed one is imported again. */
export const importedWorkflows = defineTable(
  'imported_workflows',
  { companyId: key(text()), workflowId: key(text()), fingerprint: plain() },
  { moves: 'copied', personal: 'none' },
);
