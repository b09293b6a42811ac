import type { Json, JsonObject } from '@hilo/engine/contract';
import { listPorts } from '../../packages/testing/src/arbitraries/build-canvas.ts';

/**
 * A valid node of each type with every field of its own: what properties over mutations of single fields begin with. A type has several
 * where one field excludes another.
 */
export const fullNodes: readonly { readonly type: string; readonly data: JsonObject }[] = Object.entries({
  start: [
    { keywords: ['menu', 'help'], payloads: ['begin'], refs: ['ad_1'], match: 'words', fallback: true, interrupts: true },
    {
      schedule: { cron: '0 9 * * 1-5', timeZone: 'America/Lima', for: { group: 'vip' } },
      at: '{{user.fields.renewal}}',
      before: 'P7D',
      time: '10:30',
      grace: 'PT2H',
    },
    { schedule: { cron: '@daily', for: { segment: 'quiet' } } },
    { schedule: { cron: '0 0 1 * *', for: 'company' } },
  ],
  webhook: [
    {
      variableName: 'order',
      methods: ['POST'],
      userIdPath: 'user.id',
      executionIdPath: 'meta.executionId',
      oneTimeOnly: true,
      inherit: true,
      storage: 'webhook',
      waitTimeout: 'PT1H',
      respond: 'onAccept',
      legacyId: 'wh_1',
      confirm: true,
      expires: 'P1D',
      auth: {
        kind: 'hmac',
        secret: 'shop',
        header: 'x-signature',
        algorithm: 'sha256',
        encoding: 'hex',
        prefix: 'sha256=',
        timestamp: 'x-at',
        toleranceS: 300,
      },
    },
    { variableName: 'order', methods: ['POST'], auth: { kind: 'hmac', secret: 'shop', preset: 'stripe' } },
    { variableName: 'order', methods: ['GET'], auth: { kind: 'query', name: 'token', secret: 'shop' } },
    { variableName: 'order', methods: ['POST'], auth: { kind: 'basic', secret: 'shop' } },
  ],
  catch: [{}],
  message: [
    { message: { type: 'text', text: 'Hi {{$context.name}}', previewUrl: false } },
    { message: { type: 'text', text: 'Choose', buttons: { options: [{ title: 'One', payload: 'one' }] } } },
    { message: { type: 'quick_reply', text: 'Choose', title: 'Colours', quick_replies: [{ title: 'Red' }, { title: 'Blue' }] } },
    { message: { type: 'file', mediaUrl: 'https://files.example/a.pdf', text: 'Invoice', filename: 'a.pdf' } },
    { message: { type: 'location', coordinates: { lat: -12.05, long: -77.04 } } },
    {
      message: {
        type: 'cta_url',
        title: 'Shop',
        text: 'See it',
        caption: 'Acme',
        parameters: { display_text: 'Open', url: 'https://shop.example/{{$context.name}}' },
      },
    },
  ],
  ask: [
    {
      message: { type: 'quick_reply', text: 'Which?', quick_replies: [{ title: 'Yes' }, { title: 'No' }] },
      saveAs: '$context.answer',
      timeout: 'PT2H',
      skipIfSet: '$context.name',
    },
    {
      message: { type: 'text', text: 'How many?' },
      input: { kind: 'number', min: 1, max: 9, integer: true },
      saveAs: '$context.answer',
      attempts: 2,
      invalidMessage: 'A number, please.',
      timeout: 'PT2H',
      skipIfSet: true,
    },
    { message: { type: 'text', text: 'When?' }, input: { kind: 'date', min: '2031-01-01', max: '{{date($now)}}', order: 'dayFirst' } },
    { message: { type: 'text', text: 'Code?' }, input: { kind: 'text', minLength: 2, maxLength: 5, like: '^[a-z]+$' } },
  ],
  template: [{ templateId: 'tpl1', parameters: { name: '{{$context.name}}' } }],
  collect: [{ window: 'PT5S', maxMessages: 3, begins: 'withNext', maxWait: 'PT20S', saveAs: '$context.burst' }],
  condition: [
    {
      branches: [
        { name: 'adult', rule: { op: 'gte', left: '$context.count', right: 18 } },
        {
          name: 'known',
          rule: {
            op: 'all',
            rules: [
              { op: 'eq', left: '$context.name', right: 'Ana' },
              { op: 'not', rule: { op: 'exists', left: '$memory.city' } },
            ],
          },
        },
        { name: 'listed', rule: { op: 'in', left: '$context.name', right: ['Ana', 'Luz'] } },
        { name: 'begins', rule: { op: 'startsWith', left: '$context.name', right: 'A' } },
        { name: 'typed', rule: { op: 'isType', left: '$context.name', right: 'string' } },
        { name: 'computed', rule: { op: 'expression', expression: '{{$context.count > 3}}' } },
      ],
    },
  ],
  switch: [{ value: '{{$context.name}}', cases: ['Ana', 7, true] }],
  'business-hours': [
    {
      timeZone: 'America/Lima',
      week: {
        mon: [
          ['09:00', '12:30'],
          ['14:00', '18:00'],
        ],
        sun: [['22:00', '24:00']],
      },
      holidays: ['2031-03-03'],
    },
  ],
  random: [
    {
      routes: [
        { name: 'A', percent: 40 },
        { name: 'B', percent: 60 },
      ],
    },
  ],
  'for-each': [{ items: '{{$context.list}}' }],
  set: [
    {
      assignments: [
        { path: '$context.answer', value: { a: ['{{$context.count}}'] } },
        { path: '$memory.city', value: 'Lima', ttl: 'PT1H' },
      ],
    },
  ],
  code: [{ source: 'return input.a;', input: { a: '{{$context.count}}' }, timeout: 'PT2S', memoryMb: 64, saveAs: '$context.answer' }],
  delay: [{ duration: 'PT10M' }],
  'wait-until': [{ at: '2031-03-03T10:00:00Z', before: 'P1D' }, { opening: { week: { mon: [['09:00', '18:00']] } } }],
  'wait-event': [{ name: 'paid', correlation: '{{$context.name}}', timeout: 'PT1H', saveAs: '$context.answer' }],
  'wait-external': [{ timeout: 'PT1H', methods: ['POST'], saveAs: '$context.result', confirm: true, expires: 'P1D' }],
  'send-event': [{ name: 'paid', correlation: '7', payload: { a: 1 }, ttl: 'PT1H', saveAs: '$context.answer' }],
  workflow: [
    {
      workflowId: 'child-1',
      version: 1,
      inputs: { a: '{{$context.count}}' },
      saveAs: '$context.answer',
      inheritWebhook: true,
      timeout: 'PT1H',
    },
  ],
  jump: [{ workflowId: 'child-1', version: 2 }],
  end: [{ outcome: 'done', outputs: { a: '{{$context.name}}' } }],
  handoff: [{ mode: 'park', teamId: 5, operatorId: 7, timeout: 'PT30M', saveAs: '$context.answer' }],
  tags: [{ action: 'add', tags: [1, 2] }],
  group: [{ action: 'add', group: '{{$context.name}}' }],
  consent: [{ marketing: 'revoked', evidence: '{{$context.name}}' }],
  api: [
    {
      method: 'POST',
      url: 'https://api.example/orders/{{$context.name}}',
      query: { q: '{{$context.name}}' },
      headers: { 'X-A': 'yes' },
      bodyKind: 'json',
      body: { a: '{{$context.count}}' },
      auth: { credentialId: 'key' },
      clientCertificate: { credentialId: 'cert' },
      timeout: 'PT5S',
      successStatuses: [200, 201],
      responseType: 'auto',
      saveAs: '$context.result',
      responseMapping: [{ path: '$context.answer', from: 'body.state', default: 'none' }],
      label: 'Orders',
      notes: 'As agreed',
      retry: { attempts: 3, delay: 'PT2S', factor: 2, maxDelay: 'PT1M', jitter: 'none' },
      hold: { enabled: true, message: 'One moment', onMessage: 'queue' },
      mask: true,
      onError: 'port',
    },
  ],
  soap: [
    {
      url: 'https://soap.example/orders',
      version: '1.2',
      action: 'urn:GetOrder',
      namespaces: { o: 'urn:orders' },
      header: { 'o:Trace': 'x' },
      body: { 'o:GetOrder': { id: '{{$context.count}}' } },
      headers: { 'X-A': 'yes' },
      auth: { credentialId: 'key' },
      clientCertificate: { credentialId: 'cert' },
      wsSecurity: { credentialId: 'user', password: 'digest' },
      timeout: 'PT5S',
      saveAs: '$context.result',
    },
  ],
  database: [
    {
      connection: { credentialId: 'shop' },
      operation: 'list',
      table: 'orders',
      columns: ['id'],
      where: [{ column: 'id', op: 'eq', value: '{{$context.count}}' }],
      orderBy: [{ column: 'id', direction: 'desc' }],
      limit: 5,
      offset: 1,
      timeout: 'PT5S',
      saveAs: '$context.result',
    },
    { connection: { credentialId: 'shop' }, operation: 'create', table: 'orders', values: { name: '{{$context.name}}' } },
    {
      connection: { credentialId: 'shop' },
      operation: 'query',
      sql: 'select id from orders where name = $1',
      parameters: ['{{$context.name}}'],
      readOnly: true,
      maxRows: 10,
    },
  ],
  function: [{ functionId: 'fn_echo', body: { a: 1 }, timeout: 'PT5S', saveAs: '$context.result' }],
  agent: [
    {
      model: {
        baseUrl: 'https://models.example/v1',
        name: 'small',
        auth: { credentialId: 'key' },
        price: { input: 1, output: 2, currency: 'USD' },
      },
      fallback: {
        provider: 'anthropic',
        baseUrl: 'https://other.example/v1',
        name: 'large',
        price: { input: 1, output: 2, currency: 'USD' },
      },
      instructions: 'You help to order.',
      facts: '{{$context.name}}',
      opening: 'Hello {{$user.names}}',
      tools: [
        {
          kind: 'workflow',
          name: 'stock',
          description: 'How many are left',
          workflowId: 'child',
          inputs: { sku: { type: 'text', maxLength: 20 }, many: { type: 'number', integer: true, min: 1, required: false } },
          risk: 'read',
          timeout: 'PT20S',
        },
        {
          kind: 'function',
          name: 'order',
          description: 'Orders',
          functionId: 'fn_echo',
          inputs: { sku: { type: 'option', options: [{ title: 'A', payload: 'a' }, { title: 'B' }] } },
          with: { who: '{{$user.id}}' },
          confirm: { text: 'Order {{$tool.sku}}?', yes: 'Yes', no: 'No' },
          risk: 'money',
        },
        {
          kind: 'mcp',
          name: 'find',
          description: 'Finds orders',
          url: 'https://tools.example/mcp',
          auth: { credentialId: 'key' },
          tool: 'search_orders',
          schema: { type: 'object', properties: { text: { type: 'string' }, who: { type: 'string' } }, required: ['text', 'who'] },
          readOnly: true,
          with: { who: '{{$user.phone}}' },
          sees: ['$user.phone'],
          timeout: 'PT10S',
        },
      ],
      exits: [
        { name: 'ordered', when: 'The order is placed.', fields: { number: { type: 'text' } } },
        { name: 'person', when: 'A person is wanted.' },
      ],
      saveAs: '$context.result',
      transcriptAs: '$context.talk',
      history: { messages: 20, chars: 8_000 },
      limits: { turns: 5, modelCalls: 4, toolCalls: 5, tokens: 50_000, cost: { amount: 2, currency: 'USD' }, invalid: 2 },
      timeout: 'PT45S',
      idle: 'PT2H',
      withhold: ['$user.phone'],
      redact: ['card', 'email'],
      stream: true,
    },
  ],
  decide: [
    {
      model: {
        provider: 'openai',
        baseUrl: 'https://models.example/v1',
        name: 'small',
        auth: { credentialId: 'key' },
        temperature: 0.5,
        maxOutputTokens: 64,
        price: { input: 1, output: 2.5, currency: 'USD' },
      },
      fallback: { baseUrl: 'https://other.example/v1', name: 'large', auth: { credentialId: 'other' } },
      question: 'What does the customer want?',
      input: '{{$context.name}}',
      options: [
        { name: 'refund', when: 'Money back.', examples: ['I want my money back'] },
        { name: 'status', when: 'Where an order is.' },
      ],
      minConfidence: 0.7,
      timeout: 'PT45S',
      saveAs: '$context.result',
    },
  ],
  'ai-task': [
    {
      baseUrl: 'https://models.example/v1',
      auth: { credentialId: 'key' },
      model: 'small',
      fallback: { model: 'large', baseUrl: 'https://other.example/v1', auth: { credentialId: 'other' } },
      instructions: 'Say what this is about.',
      input: '{{$context.name}}',
      schema: { type: 'object', properties: { topic: { type: 'string', enum: ['a', 'b'] } }, required: ['topic'] },
      maxOutputTokens: 64,
      temperature: 0.5,
      timeout: 'PT45S',
      saveAs: '$context.result',
    },
  ],
  payment: [
    {
      auth: { credentialId: 'stripe' },
      amount: 1250,
      currency: 'MXN',
      description: 'Order {{$context.name}}',
      timeout: 'PT1H',
      message: { type: 'text', text: 'Pay here: {{$context.payment.url}}' },
      saveAs: '$context.payment',
    },
  ],
  respond: [{ status: 200, headers: { 'X-A': 'yes' }, body: { ok: true } }],
  log: [{ name: 'Order {{$context.name}}', level: 'warn', data: { a: 1 } }],
  note: [{ text: 'To do' }],
} satisfies { readonly [type: string]: readonly JsonObject[] }).flatMap(([type, all]) => all.map((data) => ({ type, data })));

/** A canvas in which all that surrounds a node is right: an entry leads to it, and each of its ports to an end. */
export function aroundNode(type: string, data: Json, portsOf: JsonObject = data as JsonObject): JsonObject {
  const { required, optional } = listPorts(type, portsOf);
  const isEntry = type === 'start' || type === 'webhook';
  const isApart = isEntry || type === 'catch' || type === 'note';
  const edges = [...required, ...optional].map((port) => ({
    source: 'node',
    sourceHandle: port,
    target: type === 'for-each' && port === 'each' ? 'node' : 'done',
  }));
  return {
    schemaVersion: 1,
    id: 'around',
    name: 'Around',
    kind: 'skill',
    variables: {
      count: { default: 0 },
      name: { default: 'Ana' },
      list: { default: [] },
      answer: { default: null },
      result: { default: null },
    },
    nodes: [
      { id: 'node', type, data },
      ...(isEntry ? [] : [{ id: 'begin', type: 'start', data: { fallback: true } }]),
      ...(edges.length > 0 || isApart ? [{ id: 'done', type: 'end', data: {} }] : []),
    ],
    edges: [...edges, ...(isEntry ? [] : [{ source: 'begin', sourceHandle: 'next', target: isApart ? 'done' : 'node' }])],
  };
}

/** The steps to a value inside another. */
export type Place = readonly (string | number)[];

/** Every place inside a value, the value itself first. */
export function placesIn(value: Json, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner: readonly (readonly [string | number, Json])[] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...inner.flatMap(([step, item]) => placesIn(item, [...at, step]))];
}

/** A value with another one at a place inside it; `undefined` removes what is there. */
export function replaceAt(value: Json, [step, ...rest]: Place, other: Json | undefined): Json | undefined {
  if (step === undefined) return other;
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => {
      const changed = index === step ? replaceAt(item, rest, other) : item;
      return changed === undefined ? [] : [changed];
    });
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const changed = key === step ? replaceAt(item, rest, other) : item;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  return Object.fromEntries(entries);
}

/** Whether there is an object at a place, which may get another field. */
export const isObjectAt = (value: Json, [step, ...rest]: Place): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (step === undefined) return !Array.isArray(value);
  return isObjectAt((value as { readonly [step: string]: Json })[String(step)] ?? null, rest);
};

/** What a field may wrongly be: of every kind, empty, hostile, and as an author mistypes it. */
export const wrongValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'text',
  '9:00',
  'P1D',
  '$context.name',
  '{{',
  '{{$context.name}}',
  '{{$context.nowhere}}',
  '{{1 +}}',
  'a {{$context.name',
  '__proto__',
  [],
  [null],
  [[]],
  ['text'],
  [{}],
  {},
  { text: 'x' },
  { constructor: 1, toString: 2 },
  { type: 'text' },
  { message: { type: 'flow' } },
  nested(70),
];

function nested(levels: number): Json {
  return levels === 0 ? 1 : { a: [nested(levels - 2)] };
}

/** The value at a place inside another. */
export const valueAt = (value: Json, at: Place): Json =>
  at.reduce<Json>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? ((inner as { readonly [step: string]: Json })[String(step)] ?? null) : null,
    value,
  );
