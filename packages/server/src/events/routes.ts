// Who is told of what happens in a company: subscriptions to events, and what is on its way to them.
import { z } from '@hono/zod-openapi';
import { type Json, JsonObject, parseJsonText } from '@hilo/engine/contract';
import { noteAct } from '../platform/http/acts.ts';
import {
  bodyErrorResponses,
  createRowCursor,
  errorResponses,
  formatInstant,
  Instant,
  Page,
  PageQuery,
  parseBody,
  Values,
} from '../platform/http/admin.ts';
import { defineRoute, type Route, type RouteCall } from '../platform/http/define-route.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { QueryChoice, QueryInstant } from '../platform/http/query.ts';
import { deliveryStates } from '../platform/tables/events.ts';
import { requireCompany, type Tenancy } from '../tenants/companies.ts';
import { eventNames, explainPattern } from '../platform/events/event-types.ts';
import type { StoredDelivery, StoredSubscription, Subscriptions } from './subscriptions.ts';
import { explainSecret } from '../platform/events/webhook-signature.ts';

/** What these routes need of the service. */
type EventParts = Tenancy & { readonly subscriptions: Subscriptions };

const tags = ['Events'];
const instant = '2031-03-03T09:00:00.000Z';
const exampleId = 'sub_4f0c8f6e9d1a4c573b0c8f6e';

/** Bounds of a subscription. */
const subscriptionLimits = { urlChars: 2_048, events: 50 };

const Pattern = z.string('an event is a name, such as message.received').superRefine((pattern, context) => {
  const problem = explainPattern(pattern);
  if (problem !== undefined) context.addIssue(problem);
});

const Secret = z.string('secret is a text').superRefine((secret, context) => {
  const problem = explainSecret(secret);
  if (problem !== undefined) context.addIssue(problem);
});

const fields = {
  url: z
    .string('url is the address that is called')
    .min(1, 'url is empty')
    .max(subscriptionLimits.urlChars, `url is longer than ${subscriptionLimits.urlChars} characters`),
  events: z
    .array(Pattern, 'events is a list of names')
    .min(1, 'events is empty: name at least one, or "*"')
    .max(subscriptionLimits.events, `events has more than ${subscriptionLimits.events} names`)
    .transform((given) => [...new Set(given)]),
  secret: Secret.optional(),
  paused: z.boolean('paused is true or false').optional(),
};
const NewBody = z.object(fields);
const ChangeBody = z.object({ ...fields, url: fields.url.optional(), events: fields.events.optional() });

const bodySchema = {
  url: {
    type: 'string',
    maxLength: subscriptionLimits.urlChars,
    description: 'What is called: https, or http',
    example: 'https://example.com/hook',
  },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: subscriptionLimits.events,
    items: { type: 'string' },
    description: 'Names of events, such as message.received; message.* for all of messages, * for all there are',
    example: ['message.*', 'execution.ended'],
  },
  secret: {
    type: 'string',
    description: 'What deliveries are signed with: whsec_ and base64. One is drawn where none is given. It is never shown again',
    example: 'whsec_c2VjcmV0LW9mLXRoaXMtc3Vic2NyaXB0aW9u',
  },
  paused: { type: 'boolean', description: 'While it is, what happens is kept for it', example: false },
};

const Subscription = z
  .object({
    id: z.string().openapi({ example: exampleId }),
    url: z.string(),
    events: z.array(z.string()),
    paused: z.boolean().openapi({ description: 'Whether nothing is sent to it at present' }),
    createdAt: Instant.optional(),
  })
  .openapi('EventSubscription');
const Shown = Subscription.extend({
  pending: z.int().openapi({ description: 'How many deliveries wait' }),
  parked: z.int().openapi({ description: 'How many were given up' }),
});

const describe = ({ id, url, events, isPaused, createdAtMs }: StoredSubscription): z.input<typeof Subscription> => ({
  id,
  url,
  events: [...events],
  paused: isPaused,
  ...(createdAtMs !== undefined && { createdAt: formatInstant(createdAtMs) }),
});

const ofCompany = z.object({ companyId: z.string() });
const ofSubscription = ofCompany.extend({ subscriptionId: z.string() });
const example = { path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' } };
const refusals = { ...errorResponses, 400: bodyErrorResponses[400], 404: errorResponses[404] };

type SubscriptionCall = RouteCall<{ companyId: string; subscriptionId: string }, unknown>;

const list = defineRoute({
  get: '/admin/v1/companies/{companyId}/event-subscriptions',
  operationId: 'listEventSubscriptions',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Who is told of what happens in a company',
  description: 'Without secrets. A company has at most 20.',
  params: ofCompany,
  answer: jsonResponse('The subscriptions', Page(Subscription)),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ params }, parts: EventParts) {
    const { id } = requireCompany(parts, params.companyId);
    return { results: (await parts.subscriptions.all(id)).map(describe), nextCursor: null };
  },
});

const Made = Subscription.extend({
  secret: z.string().optional().openapi({ description: 'The secret that was drawn: it is shown here alone', example: 'whsec_…' }),
});

const add = defineRoute({
  post: '/admin/v1/companies/{companyId}/event-subscriptions',
  operationId: 'addEventSubscription',
  auth: 'operator',
  permission: 'admin',
  tags,
  summary: 'Subscribes an address to events',
  description:
    'What happens from now on is sent there, signed by the specification of Standard Webhooks, in its order for each contact, and until it is taken: for 3 days.',
  params: ofCompany,
  body: closedBody('The address, and what it hears', { type: 'object', required: ['url', 'events'], properties: bodySchema }),
  also: { 201: jsonResponse('The subscription, with the secret where it was drawn', Made) },
  refusals: { ...bodyErrorResponses, 409: jsonResponse('The company has as many as it may', ErrorBody) },
  example: { path: { companyId: '1' }, body: { url: 'https://example.com/hook', events: ['message.*', 'execution.ended'] } },
  async handle({ c, params }, parts: EventParts) {
    const { id: companyId } = requireCompany(parts, params.companyId);
    const given = parseBody(NewBody, await c.req.text());
    const { subscription, drawn } = await parts.subscriptions.add(companyId, given);
    noteAct(c, { kind: 'eventSubscription', id: subscription.id, after: { url: given.url, events: given.events } });
    return c.json({ ...describe(subscription), ...(drawn !== undefined && { secret: drawn }) }, 201);
  },
});

const get = defineRoute({
  get: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}',
  operationId: 'getEventSubscription',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'A subscription, and how much waits for it',
  description: 'Its secret is never shown.',
  params: ofSubscription,
  answer: jsonResponse('The subscription', Shown),
  refusals: errorResponses,
  example,
  handle: ({ params }, parts: EventParts) => show(parts, params),
});

async function show(parts: EventParts, { companyId, subscriptionId }: SubscriptionCall['params']): Promise<z.input<typeof Shown>> {
  const { id } = requireCompany(parts, companyId);
  const found = await parts.subscriptions.find(id, subscriptionId);
  return { ...describe(found), ...(await parts.subscriptions.count(id, subscriptionId)) };
}

/** Changes a subscription, and puts on record what it was. */
async function changeTo(
  { c, params }: SubscriptionCall,
  parts: EventParts,
  given: z.output<typeof ChangeBody>,
): Promise<z.input<typeof Shown>> {
  const { id } = requireCompany(parts, params.companyId);
  const before = await parts.subscriptions.find(id, params.subscriptionId);
  const after = await parts.subscriptions.change(id, params.subscriptionId, given);
  const note = ({ url, events, isPaused }: StoredSubscription) => ({ url, events: [...events], paused: isPaused });
  noteAct(c, { kind: 'eventSubscription', id: after.id, before: note(before), after: note(after) });
  return show(parts, params);
}

const change = defineRoute({
  patch: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}',
  operationId: 'changeEventSubscription',
  auth: 'operator',
  permission: 'admin',
  tags,
  summary: 'Changes a subscription; what is left out stays',
  description: 'What is on its way goes to the new address, signed with the new secret.',
  params: ofSubscription,
  body: closedBody('What changes', { type: 'object', properties: bodySchema }),
  answer: jsonResponse('The subscription as it is then', Shown),
  refusals: bodyErrorResponses,
  example: { ...example, body: { events: ['message.*'] } },
  async handle(call, parts: EventParts) {
    requireCompany(parts, call.params.companyId);
    return changeTo(call, parts, parseBody(ChangeBody, await call.c.req.text()));
  },
});

const defineStep = (verb: 'pause' | 'resume', paused: boolean, summary: string, description: string) =>
  defineRoute({
    post: `/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/${verb}`,
    operationId: `${verb}EventSubscription`,
    auth: 'operator',
    permission: 'operate',
    tags,
    summary,
    description,
    params: ofSubscription,
    answer: jsonResponse('The subscription as it is then', Shown),
    refusals: bodyErrorResponses,
    example,
    handle: (call, parts: EventParts) => changeTo(call, parts, { paused }),
  });

const pause = defineStep(
  'pause',
  true,
  'Lets nothing be sent to a subscription until it is resumed',
  'What happens is kept for it, for 3 days.',
);
const resume = defineStep('resume', false, 'Sends again to a paused subscription', 'What was kept for it goes first.');

const remove = defineRoute({
  delete: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}',
  operationId: 'removeEventSubscription',
  auth: 'operator',
  permission: 'admin',
  tags,
  summary: 'Removes a subscription with its secret and all that is on its way to it',
  description: 'What is being sent at this moment may still arrive.',
  params: ofSubscription,
  answer: jsonResponse('Which was removed', z.object({ id: z.string() })),
  refusals,
  example,
  async handle({ c, params: { companyId, subscriptionId } }, parts: EventParts) {
    const { id } = requireCompany(parts, companyId);
    noteAct(c, { kind: 'eventSubscription', id: subscriptionId });
    await parts.subscriptions.remove(id, subscriptionId);
    return { id: subscriptionId };
  },
});

const cursor = createRowCursor('deliveries');

const Delivery = z
  .object({
    id: z.string().openapi({ description: 'webhook-id of every attempt', example: 'evt_5b0c8f6e9d1a4c573b0c8f6e9d1a4c57' }),
    type: z.enum(eventNames),
    timestamp: Instant.openapi({ description: 'When it happened' }),
    data: Values.openapi({ description: 'As it is sent', example: { workflowId: 'order-status', version: 3 } }),
    state: z.enum(deliveryStates).openapi({ description: 'parked: it was tried for 3 days, and is given up until it is replayed' }),
    attempts: z.int().openapi({ description: 'How often it was tried' }),
    nextAttemptAt: Instant.nullable().openapi({ description: 'When it is tried again; null where it is due, or over', example: instant }),
    endedAt: Instant.nullable().openapi({ description: 'When it was taken or given up', example: instant }),
    lastAnswer: z
      .object({
        at: Instant.openapi({ description: 'When the attempt began', example: instant }),
        tookMs: z.int().openapi({ description: 'How long it took, in milliseconds', example: 120 }),
        status: z.int().nullable().openapi({ description: 'null where there was no answer', example: 503 }),
        code: z.string().nullable().openapi({ description: 'Why there was none', example: 'TIMEOUT' }),
        text: z.string().openapi({ description: 'The beginning of the answer, or the reason in words' }),
      })
      .nullable()
      .openapi({ description: 'How the last attempt ended' }),
  })
  .openapi('EventDelivery');

function describeDelivery(given: StoredDelivery): z.input<typeof Delivery> {
  const { eventId, type, atMs, data, state, attempts, dueAtMs, endedAtMs, answer } = given;
  return {
    id: eventId,
    type: type as z.input<typeof Delivery>['type'], // only such are written
    timestamp: formatInstant(atMs),
    data: JsonObject.parse(parseJsonText(data) satisfies Json),
    state,
    attempts,
    nextAttemptAt: state === 'pending' && dueAtMs > 0 ? formatInstant(dueAtMs) : null,
    endedAt: endedAtMs === undefined ? null : formatInstant(endedAtMs),
    lastAnswer:
      answer === undefined
        ? null
        : {
            at: formatInstant(answer.atMs),
            tookMs: answer.tookMs,
            status: answer.status ?? null,
            code: answer.code ?? null,
            text: answer.text,
          },
  };
}

const listDeliveries = defineRoute({
  get: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/deliveries',
  operationId: 'listEventDeliveries',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'What was to be told to a subscription, the newest first, each with the last answer',
  description: 'Delivered ones are kept for 7 days, parked ones for 30.',
  params: ofSubscription,
  query: z.object({
    state: QueryChoice('state', deliveryStates).optional().openapi({ description: 'Only those in a state' }),
    limit: PageQuery.shape.limit,
    cursor: cursor.query,
  }),
  answer: jsonResponse('A page of deliveries', Page(Delivery)),
  refusals: errorResponses,
  example: { ...example, query: { limit: '10' } },
  async handle({ params: { companyId, subscriptionId }, query: { state, limit, cursor: below } }, parts: EventParts) {
    const { id } = requireCompany(parts, companyId);
    const found = await parts.subscriptions.deliveries(id, subscriptionId, {
      state,
      limit: limit + 1,
      below: below === undefined ? undefined : Number(below),
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { results: shown.map(describeDelivery), nextCursor: cursor.write(last === undefined ? null : String(last.seq)) };
  },
});

const ReplayQuery = z.object({
  from: QueryInstant('from').openapi({ description: 'What happened at this instant or later', example: '2031-03-03T09:00:00Z' }),
});
const Replayed = z.object({ replayed: z.int().openapi({ description: 'How many events are sent again' }) });

const replay = defineRoute({
  post: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/replay',
  operationId: 'replayEvents',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Sends what happened since an instant once more, also what was delivered or parked',
  description: 'As far as it is kept: delivered ones for 7 days, parked ones for 30. Each has the id that it had before.',
  params: ofSubscription,
  query: ReplayQuery,
  answer: jsonResponse('How many', Replayed),
  refusals: bodyErrorResponses,
  example: { ...example, query: { from: '2031-03-03T09:00:00Z' } },
  async handle({ c, params: { companyId, subscriptionId }, query: { from } }, parts: EventParts) {
    const { id } = requireCompany(parts, companyId);
    const replayed = await parts.subscriptions.replay(id, subscriptionId, Date.parse(from));
    noteAct(c, { kind: 'eventSubscription', id: subscriptionId, after: { from, replayed } });
    return { replayed };
  },
});

const replayAll = defineRoute({
  post: '/admin/v1/companies/{companyId}/replay',
  operationId: 'replayAllEvents',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'The same for all subscriptions of a company',
  description: 'An event counts once for each subscription that hears it.',
  params: ofCompany,
  query: ReplayQuery,
  answer: jsonResponse('How many', Replayed),
  refusals: bodyErrorResponses,
  example: { path: { companyId: '1' }, query: { from: '2031-03-03T09:00:00Z' } },
  async handle({ c, params, query: { from } }, parts: EventParts) {
    const { id } = requireCompany(parts, params.companyId);
    const replayed = await parts.subscriptions.replay(id, undefined, Date.parse(from));
    noteAct(c, { after: { from, replayed } });
    return { replayed };
  },
});

/** Events out. */
export const eventRoutes: readonly Route<EventParts>[] = [list, add, get, change, pause, resume, remove, listDeliveries, replay, replayAll];
