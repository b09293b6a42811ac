/** The example of a field, by its schema. */
export type FieldExamples = ReadonlyMap<unknown, unknown>;

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly example?: unknown;
  readonly examples?: unknown;
  readonly default?: unknown;
}

/** The parts of a document that the examples of its fields are read from. */
interface Document {
  readonly components?: { readonly schemas?: object };
  readonly paths: object;
}

/**
 * Examples of the fields that have none, from the examples of the requests and answers that have the field: the first that is not
 * null. A text or a number that is in none of them has one by its name.
 */
export function collectFieldExamples({ components = {}, paths }: Document): FieldExamples {
  const schemas = new Map(Object.entries(components.schemas ?? {}) as [string, Schema][]);
  const examples = new Map<unknown, unknown>();
  const readValue = (given: Schema, value: unknown): void => {
    const schema = given.$ref === undefined ? given : schemas.get(given.$ref.split('/').at(-1) ?? '');
    if (schema === undefined) return;
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) readValue(part, value);
    if (Array.isArray(value)) for (const item of value) readValue(schema.items ?? {}, item);
    else if (isObject(value))
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const inner = value[name];
        if (isScalar(inner) && fits(field, inner) && wantsExample(field) && !examples.has(field)) examples.set(field, inner);
        readValue(field, inner);
      }
  };
  eachObject(paths, (part) => {
    if ('schema' in part && 'example' in part) readValue(part['schema'] as Schema, part['example']);
  });
  eachObject({ components, paths }, (part) => {
    for (const [name, field] of isObject(part['properties']) ? Object.entries(part['properties']) : []) {
      const example = findExampleByName(name, field);
      if (isScalar(example) && isObject(field) && !examples.has(field) && wantsExample(field)) examples.set(field, example);
    }
  });
  return examples;
}

/** A field whose values its schema does not name, and which shows none itself. */
const wantsExample = ({ $ref, enum: values, const: value, example, examples }: Schema): boolean =>
  [$ref, values, value, example, examples].every((part) => part === undefined);

/** Whether the field accepts the type of a value: an example may belong to another of several schemas. */
function fits(field: Schema, value: unknown): boolean {
  const types = [field.type, ...listAlternativeTypes(field)].flat().filter((type) => type !== undefined);
  return types.length === 0 || types.some((type) => type === typeof value || (type === 'integer' && Number.isInteger(value)));
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls `visit` for every object of a document except examples. */
function eachObject(part: unknown, visit: (part: { readonly [name: string]: unknown }) => void): void {
  if (Array.isArray(part)) for (const item of part) eachObject(item, visit);
  if (!isObject(part)) return;
  visit(part);
  for (const [name, inner] of Object.entries(part)) if (name !== 'example' && name !== 'examples') eachObject(inner, visit);
}

type Example = string | number | readonly (string | number)[];

/** Of parameters and fields that no example of a route has: by name, and where one name has several types, the first that fits. */
const byName: { readonly [name: string]: string | number | readonly Example[] | undefined } = {
  adminTokenId: 'tok_3k9sXq0aT7eB',
  subscriptionId: 'sub_4f0c8f6e9d1a4c573b0c8f6e',
  executionId: 'b05270acc76e92ea42c4856289d820d5',
  jobId: '5b0c8f6e9d1a4c573b0c8f6e9d1a4c57',
  startId: '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e',
  continuedAs: '01c16e892e80764ab4e0082f9851d713',
  forkedFrom: '01c16e892e80764ab4e0082f9851d711',
  parentExecutionId: '01c16e892e80764ab4e0082f9851d712',
  childExecutionId: '01c16e892e80764ab4e0082f9851d712',
  conversationId: 'conv1',
  commentId: '4b0c6f3e-5d1a-4f0e-9a57-2f1b3c4d5e6f',
  'x-filename': 'menu.png',
  messageId: '0198c5f2-7a31-7c4e-9d2b-3f6a8e1c5b70',
  fileId: 'f7d2c1b0a9e84f6d',
  checkoutId: '01c16e892e80764ab4e0082f9851d712',
  credentialId: 'stripe-acme',
  campaignId: 'camp_s',
  segment: 'lima',
  parameter: 'name',
  recipients: 1200,
  duplicates: 3,
  noConsent: 17,
  perSecond: 20,
  webhookId: 'wo1',
  workflowId: 'order-status',
  nodeId: 'ask',
  userId: '5215512345678',
  companyId: ['1', 1],
  botId: 'bot_wa',
  of: '0198c5f2-7a31-7c4e-9d2b-3f6a8e1c5b70',
  operatorId: 10,
  teamId: 5,
  teamName: 'Support',
  teams: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/teams/wo1', [5]],
  channels: [['whatsapp']],
  'hub.mode': 'subscribe',
  'hub.verify_token': 'the-token-that-meta-was-given',
  'hub.challenge': '1158201444',
  crc_token: '9b4507b3-9040-4669-9ca3-6b94edb50553',
  'idempotency-key': 'order-A-17-paid',
  'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  'if-match': '"1"',
  'if-none-match': '*',
  'last-event-id': '42',
  limit: [10, '10'],
  page: [1, '1'],
  cursor: ['42', 'messages-42', 'executions-42', 'conversations-42', 'inbox-42', 'payments-42'],
  nextCursor: 'messages-42',
  q: 'order',
  from: '2026-01-01T00:00:00Z',
  to: ['2', '2026-02-01T00:00:00Z'],
  step: '1',
  version: '1',
  cause: 'TIMEOUT',
  name: ['order.paid'],
  language: 'en',
  code: ['SAME_KEYWORD', -32601],
  status: 'completed',
  outcome: 'sent',
  message: 'The provider refused the message',
  // drafts and their problems
  savedAt: '2026-01-05T10:00:00Z',
  updatedAt: '2026-01-05T10:00:00Z',
  savedBy: 'olga@acme.test',
  publishedBy: 'olga@acme.test',
  revision: 3,
  port: 'sent',
  start: 3,
  end: 17,
  label: 'Read $user.names',
  path: '/nodes/1/data/message/text',
  value: 'Hi {{$user.names}}',
  whatsapp: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/whatsapp/wo1', 12],
  web: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/web/wo1', 12],
  instagram: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/instagram/wo1', 12],
  facebook: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/facebook/wo1', 12],
  slack: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/slack/wo1', 12],
  twitter: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/twitter/wo1', 12],
  custom: ['https://bots.example/workflows/v2/webhooks/skill/payment-once/custom/wo1', 12],
  // executions
  id: ['wait-1', 10],
  openedAt: '2026-01-05T10:00:00Z',
  dueAt: '2026-01-07T10:00:00Z',
  leavesAt: '2026-01-05T10:00:05Z',
  lastUsedAt: '2026-01-05T10:00:00Z',
  scheduledAt: '2031-03-01T09:00:00-05:00',
  limitMs: 60_000,
  configuredMs: 30_000,
  appliedMs: 30_000,
  ttlMs: 86_400_000,
  request: 'GET https://orders.example/api/orders/A-17',
  result: '{"state":"shipped"}',
  // what operators did
  requestId: '7f0c1b1e-5d1e-4a53-9c40-2f3b8f6d2a11',
  action: 'publishWorkflow',
  object: 'workflow:order-status',
  // people and messages
  names: 'Olga',
  email: 'olga@acme.test',
  phone: '5215512345678',
  timeZone: 'America/Lima',
  locale: 'es-PE',
  origin: 'organic',
  avgOperatorResponseTime: 60,
  payload: 'yes',
  mediaUrl: 'https://example.com/a-17.pdf',
  file: 'file_k3Jd9sQmZ0xT7vNwYbR2uLhE5pGaC8fX',
  filename: 'a-17.pdf',
  lat: -12.05,
  long: -77.04,
  title: 'Yes',
  text: 'Choose',
  description: 'Within two days',
  caption: 'Your invoice',
  header: 'Order A-17',
  url: 'https://example.com/orders/A-17',
  link: 'https://example.com/shoe.jpg',
  display_text: 'Open the order',
  formatted_name: 'Olga Ruiz',
  first_name: 'Olga',
  middle_name: 'María',
  last_name: 'Ruiz',
  type: 'WORK',
  wa_id: '5215512345678',
  street: 'Av. Larco 101',
  city: 'Lima',
  state: 'Lima',
  zip: '15074',
  country: 'Peru',
  country_code: 'PE',
  flow_id: '1234567890',
  flow_name: 'sign_up',
  flow_cta: 'Sign up',
  flow_action: 'navigate',
  flow_message_version: '3',
  screen: 'WELCOME',
  card_index: 0,
};

/** An example of a field or a parameter by its name; `undefined` where none of its type is known. */
export function findExampleByName(name: string, schema: unknown): Example | undefined {
  if (isObject(schema) && Array.isArray(schema['enum'])) return schema['enum'][0] as string;
  const isInstant = isObject(schema) && schema['format'] === 'date-time';
  const types = isObject(schema) ? [schema['type'], ...listAlternativeTypes(schema)].flat() : [];
  const names = (example: Example): readonly string[] => {
    if (typeof example === 'number') return ['integer', 'number'];
    if (typeof example !== 'string') return ['array'];
    return isInstant && !example.includes('T') ? [] : ['string'];
  };
  return [byName[name] ?? []].flat(1).find((example) => names(example).some((type) => types.includes(type)));
}

const listAlternativeTypes = ({ anyOf, oneOf }: Schema): readonly unknown[] => [...(anyOf ?? []), ...(oneOf ?? [])].map(({ type }) => type);
