import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { message, messageOf } from './messages.ts';
import { templateText, templateValue, vocabulary, waitDuration } from './vocabulary.ts';

/** Random data of a node: its config as a canvas has it, without the fields that every node has. */
type Config = fc.Arbitrary<JsonObject>;

const { keywords, options, signals, correlations } = vocabulary;

const optional = <Fields extends { readonly [name: string]: fc.Arbitrary<Json> }>(
  required: Fields,
  others: { readonly [name: string]: fc.Arbitrary<Json> } = {},
): Config => fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required), noNullPrototype: true });

const saveAs = fc.constantFrom('$context.answer', '$context.result', '$memory.city');
const contextPath = fc.constantFrom('$context.answer', '$context.result');

const shortMessage: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 6, arbitrary: templateText.map((text) => ({ type: 'text', text })) },
  { weight: 1, arbitrary: fc.constant({ type: 'image', mediaUrl: 'https://files.example/cat.png', text: 'A cat' }) },
  { weight: 1, arbitrary: messageOf.location },
  { weight: 1, arbitrary: message as fc.Arbitrary<JsonObject> },
);

const titles = fc.uniqueArray(fc.constantFrom(...options), { minLength: 1, maxLength: 3 });
const choice: fc.Arbitrary<JsonObject> = fc.oneof(
  titles.map((chosen) => ({ type: 'quick_reply', text: 'Shall we?', quick_replies: chosen.map((title) => ({ title })) })),
  titles.map((chosen) => ({
    type: 'text',
    text: 'Choose',
    buttons: { options: chosen.map((title) => ({ title, payload: title.toLowerCase() })) },
  })),
);

const input: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject>(
    { kind: 'text' },
    { kind: 'text', minLength: 2, maxLength: 5 },
    { kind: 'text', like: '^[a-z]+$' },
    { kind: 'number', min: 0, max: 100 },
    { kind: 'number', integer: true },
    { kind: 'email' },
    { kind: 'phone' },
    { kind: 'date', min: '2031-01-01' },
    { kind: 'date', min: '{{date($now)}}' },
    { kind: 'location' },
    { kind: 'contact' },
    { kind: 'media', types: ['image'] },
    { kind: 'order' },
  ),
);

const askOthers = { saveAs, timeout: waitDuration };
/** A question with options; some are skipped when they are answered already. */
const askOption: Config = optional({ message: choice }, { ...askOthers, skipIfSet: fc.constantFrom('$context.answer', '$memory.city') });
const askInput: Config = optional(
  { message: shortMessage, input },
  { ...askOthers, attempts: fc.integer({ min: 1, max: 3 }), invalidMessage: templateText },
);

/** Holds in every other second. */
const evenSecond = "{{number(format($now, 's')) % 2 == 0}}";

const constantRule: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    op: fc.constantFrom('eq', 'neq'),
    left: fc.constantFrom('$context.answer', '$context.name', '$context.count'),
    right: fc.constantFrom<Json>('Yes', 'Ana', 0, 1, null),
  }),
  fc.record({ op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), left: fc.constant('$context.count'), right: fc.integer({ min: -1, max: 3 }) }),
  fc.record({
    op: fc.constantFrom('contains', 'startsWith', 'endsWith'),
    left: fc.constant("{{$message.text ?? ''}}"),
    right: fc.constantFrom('e', 'Yes'),
  }),
  fc.record({ op: fc.constant('in'), left: fc.constant('$context.answer'), right: fc.constant(['Yes', 'yes', 5]) }),
  fc.record({ op: fc.constant('isType'), left: fc.constant('$context.answer'), right: fc.constantFrom('string', 'null', 'object') }),
  fc.record({ op: fc.constant('empty'), left: fc.constantFrom('$context.list', '$context.name') }),
  fc.record({ op: fc.constant('exists'), left: fc.constantFrom('$memory.city', '$context.answer', '$webhook.hook') }),
  fc.record({
    op: fc.constant('expression'),
    expression: fc.constantFrom('{{$context.flag == true}}', "{{$context.name == 'Ana'}}", evenSecond),
  }),
);
const rule: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: constantRule },
  { weight: 1, arbitrary: constantRule.map((inner) => ({ op: 'not', rule: inner })) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('all', 'any'), rules: fc.array(constantRule, { minLength: 1, maxLength: 3 }) }) },
);

/** Values by the kind their variable has in every random canvas, so that expressions over them can be evaluated. */
const assignment: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    path: fc.constant('$context.count'),
    value: fc.constantFrom<Json>(0, 2, '{{$context.count + 1}}', '{{$context.count * 2}}'),
  }),
  fc.record({ path: fc.constant('$context.name'), value: fc.constantFrom('Luz', '{{$context.name}}!', "{{$user.names ?? 'you'}}") }),
  fc.record({
    path: fc.constant('$context.list'),
    value: fc.constantFrom<Json>([], [1], '{{$context.list}}', ['a', '{{$context.count}}', 'c']),
  }),
  fc.record({ path: fc.constant('$context.flag'), value: fc.constantFrom<Json>(true, false, '{{!$context.flag}}') }),
  fc.record({ path: fc.constantFrom('$context.answer', '$context.result.body', '$context.extra[0]'), value: templateValue }),
  fc.record({ path: fc.constant('$memory.city'), value: fc.constantFrom<Json>('Lima', 'Quito', '{{$context.name}}') }),
  fc.record({
    path: fc.constant('$memory.basket'),
    value: fc.constantFrom<Json>([1], { a: '{{$context.count}}' }),
    ttl: fc.constantFrom('PT1H', 'P1D'),
  }),
);

const orders = { connection: fc.constant({ credentialId: 'shop' }), table: fc.constant('orders') };

/** When a business is open. */
const openingHours = {
  week: fc
    .record(
      {
        mon: fc.constant([
          ['09:00', '12:30'],
          ['14:00', '18:00'],
        ]),
        sun: fc.constantFrom([['00:00', '24:00']], [['22:00', '24:00']]),
      },
      { noNullPrototype: true },
    )
    .map((week): JsonObject => week),
};
const openingOptions = { timeZone: fc.constantFrom('America/Lima', 'Europe/Madrid'), holidays: fc.constant(['2031-03-03']) };

/** Percentages that total exactly 100. */
const routes = fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 2, maxLength: 3 }).chain((names) =>
  fc.array(fc.integer({ min: 0, max: 100 }), { minLength: names.length - 1, maxLength: names.length - 1 }).map((cuts) => {
    const ends = [0, ...cuts.toSorted((a, b) => a - b), 100];
    return names.map((name, index) => ({ name, percent: (ends[index + 1] ?? 0) - (ends[index] ?? 0) }));
  }),
);

/**
 * Valid configs of every standard node. What they read is there in any canvas that declares the variables of
 * `vocabulary.declared`. `workflow` and `jump` name `child-1` and `child-2`.
 */
export const nodeConfigs = {
  start: optional({}, { keywords: fc.uniqueArray(fc.constantFrom(...keywords), { maxLength: 2 }), fallback: fc.boolean() }),
  webhook: optional(
    {
      variableName: fc.constant(vocabulary.webhookVariable),
      methods: fc.constantFrom(['POST'], ['POST', 'PUT', 'GET']),
      userIdPath: fc.constant(vocabulary.userIdPath),
      executionIdPath: fc.constant(vocabulary.executionIdPath),
    },
    { oneTimeOnly: fc.boolean(), inherit: fc.boolean(), waitTimeout: waitDuration, respond: fc.constantFrom('onAccept', 'onFinish') },
  ),
  catch: optional({}),
  message: optional({ message: shortMessage }),
  ask: fc.oneof(askOption, askInput),
  template: optional(
    { templateId: fc.constant('tpl1') },
    { parameters: fc.dictionary(fc.constantFrom('name', 'code'), templateText, { noNullPrototype: true }) },
  ),
  collect: optional(
    {},
    { window: fc.constantFrom('PT1S', 'PT5S', 'PT20S'), maxMessages: fc.integer({ min: 1, max: 3 }), saveAs: contextPath },
  ),
  condition: fc
    .uniqueArray(fc.constantFrom('first', 'second', 'third'), { minLength: 1, maxLength: 2 })
    .chain((names) => fc.tuple(...names.map((name) => rule.map((rule) => ({ name, rule })))))
    .map((branches): JsonObject => ({ branches })),
  switch: optional({
    value: fc.constantFrom(
      '{{$context.answer}}',
      '{{$context.count}}',
      "{{$context.result.body.state ?? 'none'}}",
      "{{number(format($now, 'm')) % 2}}",
    ),
    cases: fc.uniqueArray(fc.constantFrom<Json>('Yes', 'No', 'lost', 0, 1, true), { minLength: 1, maxLength: 3 }),
  }),
  random: optional({ routes }),
  'for-each': optional({ items: fc.constantFrom<Json>('{{$context.list}}', [1, 2], [], ['{{$context.name}}', { a: 1 }]) }),
  set: optional({ assignments: fc.array(assignment, { minLength: 1, maxLength: 3 }) }),
  code: optional(
    { source: fc.constantFrom('return input.a;', 'return { "$context.extra": [input.a] };') },
    {
      input: fc.record({ a: templateValue }, { noNullPrototype: true }),
      timeout: fc.constant('PT2S'),
      memoryMb: fc.constantFrom(16, 64),
      saveAs: contextPath,
    },
  ),
  delay: optional({ duration: waitDuration }),
  'business-hours': optional(openingHours, openingOptions),
  'wait-until': optional(
    {
      at: fc.constantFrom(
        '2031-03-03T10:00:00Z',
        '2031-03-04T09:00:00-05:00',
        '2030-01-01T00:00:00Z',
        "{{startOf($now, 'day') + duration('PT36H')}}",
      ),
    },
    { before: waitDuration },
  ),
  'wait-event': optional(
    { name: fc.constantFrom(...signals) },
    { correlation: fc.constantFrom(...correlations), timeout: waitDuration, saveAs: contextPath },
  ),
  'wait-external': optional({}, { timeout: waitDuration }),
  'send-event': optional(
    { name: fc.constantFrom(...signals) },
    { correlation: fc.constantFrom(...correlations), payload: templateValue, ttl: fc.constantFrom('PT1H', 'P1D'), saveAs: contextPath },
  ),
  workflow: optional(
    { workflowId: fc.constantFrom('child-1', 'child-2') },
    {
      inputs: fc.dictionary(fc.constantFrom('a', 'b'), templateValue, { noNullPrototype: true }),
      saveAs: contextPath,
      inheritWebhook: fc.boolean(),
      timeout: waitDuration,
    },
  ),
  jump: optional({ workflowId: fc.constantFrom('child-1', 'child-2') }),
  end: optional(
    {},
    {
      outcome: fc.constantFrom('done', 'failed'),
      outputs: fc.dictionary(fc.constantFrom('a', 'b'), templateValue, { noNullPrototype: true }),
    },
  ),
  api: optional(
    { url: fc.constantFrom('https://api.example/orders', 'https://api.example/{{$context.count}}') },
    {
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      query: fc.dictionary(fc.constantFrom('q', 'r'), templateText, { noNullPrototype: true }),
      headers: fc.dictionary(fc.constantFrom('X-A', 'Accept'), fc.constant('yes'), { noNullPrototype: true }),
      body: templateValue,
      timeout: fc.constantFrom('PT5S', 'PT45S', 'PT2M'),
      successStatuses: fc.constant([200, 201]),
      saveAs: contextPath,
      responseMapping: fc.constant([{ path: '$context.answer', from: 'body.state', default: 'none' }]),
    },
  ),
  soap: optional(
    {
      url: fc.constant('https://soap.example/orders'),
      body: fc.constant<JsonObject>({ GetOrder: { id: '{{$context.count}}', at: null } }),
    },
    {
      version: fc.constantFrom('1.1', '1.2'),
      action: fc.constant('urn:GetOrder'),
      timeout: fc.constantFrom('PT5S', 'PT2M'),
      saveAs: contextPath,
    },
  ),
  database: fc.oneof(
    optional(
      { ...orders, operation: fc.constant('list') },
      { limit: fc.integer({ min: 1, max: 5 }), timeout: fc.constantFrom('PT5S', 'PT2H'), saveAs: contextPath },
    ),
    optional(
      { ...orders, operation: fc.constant('create'), values: fc.record({ name: templateValue }, { noNullPrototype: true }) },
      { saveAs: contextPath },
    ),
    optional(
      { ...orders, operation: fc.constantFrom('get', 'delete'), where: fc.constant([{ column: 'id', value: '{{$context.count}}' }]) },
      { saveAs: contextPath },
    ),
  ),
  function: optional(
    { functionId: fc.constant('fn_echo') },
    { body: templateValue, timeout: fc.constantFrom('PT5S', 'PT2M'), saveAs: contextPath },
  ),
  agent: optional(
    {
      model: fc.constant({ baseUrl: 'https://models.example/v1', name: 'small' }),
      instructions: fc.constant('You help to order.'),
      exits: fc.constant([
        { name: 'done', when: 'It is done.', fields: { note: { type: 'text', required: false } } },
        { name: 'person', when: 'A person is wanted.' },
      ]),
    },
    {
      fallback: fc.constant({ baseUrl: 'https://models.example/v1', name: 'other' }),
      facts: templateValue,
      opening: templateText,
      tools: fc.constantFrom<readonly JsonObject[]>(
        [],
        [
          {
            kind: 'function',
            name: 'echo',
            description: 'Echoes',
            functionId: 'fn_echo',
            inputs: { text: { type: 'text' } },
            risk: 'read',
          },
          { kind: 'function', name: 'pay', description: 'Pays', functionId: 'fn_echo', confirm: { text: 'Pay?' }, risk: 'money' },
        ],
      ),
      limits: fc.constantFrom({ turns: 1 }, { turns: 3, modelCalls: 2, invalid: 2 }),
      saveAs: contextPath,
      transcriptAs: contextPath,
      idle: fc.constantFrom('PT1H', 'P2D'),
      withhold: fc.constantFrom([], ['$user.names']),
    },
  ),
  decide: optional(
    {
      model: fc.constant({ baseUrl: 'https://models.example/v1', name: 'small' }),
      question: fc.constant('What is it about?'),
      options: fc.constant([
        { name: 'Yes', when: 'It is good.' },
        { name: 'No', when: 'It is bad.' },
      ]),
    },
    {
      fallback: fc.constant({ baseUrl: 'https://models.example/v1', name: 'other' }),
      input: templateValue,
      minConfidence: fc.constantFrom(0, 0.5, 1),
      timeout: fc.constantFrom('PT5S', 'PT2M'),
      saveAs: contextPath,
    },
  ),
  'ai-task': optional(
    {
      baseUrl: fc.constant('https://models.example/v1'),
      model: fc.constantFrom('small', 'large'),
      instructions: fc.constant('Say what this is about.'),
      input: templateValue,
      schema: fc.constantFrom<JsonObject>(
        { type: 'object', properties: { topic: { type: 'string' } } },
        { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
      ),
    },
    {
      fallback: fc.constant({ model: 'other' }),
      maxOutputTokens: fc.constantFrom(64, 1_024),
      timeout: fc.constant('PT45S'),
      saveAs: contextPath,
    },
  ),
  handoff: optional(
    {},
    { mode: fc.constant('park'), teamId: fc.constant(5), timeout: fc.constantFrom('PT30M', 'PT24H'), saveAs: contextPath },
  ),
  payment: optional(
    { amount: fc.constantFrom<Json>(1, 1250), currency: fc.constantFrom('MXN', 'USD'), description: templateText },
    { timeout: waitDuration, saveAs: contextPath },
  ),
  tags: fc.constantFrom<JsonObject>({ action: 'add', tags: [1] }, { action: 'replace', tags: [1, 2] }, { action: 'clear' }),
  consent: optional({ marketing: fc.constantFrom('granted', 'revoked') }, { evidence: templateText }),
  group: fc.constantFrom<JsonObject>({ action: 'add', group: 'vip' }, { action: 'remove', group: 'vip' }),
  respond: optional({}, { status: fc.constantFrom(200, 404), body: templateValue, headers: fc.constant({ 'X-A': 'yes' }) }),
  log: optional({ name: templateText }, { level: fc.constantFrom('info', 'warn', 'error'), data: templateValue }),
  note: optional({}, { text: fc.constantFrom('To do', '') }),
} as const satisfies { readonly [type: string]: Config };

/** A type of node in random canvases. */
export type NodeType = keyof typeof nodeConfigs;
