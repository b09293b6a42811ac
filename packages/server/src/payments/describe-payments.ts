import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { Problem, said } from '../platform/http/openapi.ts';

const tags = ['Payments'];
/** Pages are for who has their address: it cannot be guessed. */
const security: [] = [];
const checkout = z.object({ checkoutId: z.string() });
const pageOf = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });
const refusals = {
  404: said('There is no such test', Problem),
  429: said('Too many requests: see Retry-After', Problem),
  503: said('Nothing was written: see Retry-After', Problem),
};

export const callback = createRoute({
  method: 'post',
  path: '/payments/callbacks/{companyId}/{credentialId}',
  tags,
  summary: 'Takes an event of a payment provider: the address to give to the provider of a credential',
  security: [{ stripeSignature: [] }],
  request: {
    params: z.object({ companyId: z.string(), credentialId: z.string() }),
    body: { description: 'As the provider sends it', content: { 'application/json': { schema: { type: 'object' } } } },
  },
  responses: {
    200: said(
      'Durably accepted',
      z.object({
        success: z.literal(true),
        duplicate: z.literal(true).optional().openapi({ description: 'This event was taken before' }),
        ignored: z.literal(true).optional().openapi({ description: 'It is about nothing that was asked for here' }),
      }),
    ),
    400: said('It is signed, and no event', Problem),
    401: said('Not signed, signed by somebody else, or more than five minutes ago', Problem),
    413: said('The body is larger than 1 MB', Problem),
    429: refusals[429],
    503: refusals[503],
  },
});

export const showTest = createRoute({
  method: 'get',
  path: '/payments/test/{checkoutId}',
  tags,
  summary: 'The page of a payment in test mode; looking at it changes nothing',
  security,
  request: { params: checkout },
  responses: { 200: pageOf('The page'), ...refusals },
});

export const chooseTest = createRoute({
  method: 'post',
  path: '/payments/test/{checkoutId}',
  tags,
  summary: 'Ends a payment in test mode; only the first choice counts',
  security,
  request: {
    params: checkout,
    body: {
      description: 'The form of the page',
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', required: ['choice'], properties: { choice: { enum: ['approve', 'reject'] } } },
        },
      },
    },
  },
  responses: {
    303: { description: 'Chosen: the page shows how it ended' },
    400: said('Neither approve nor reject', Problem),
    413: said('The body is larger than 1 MB', Problem),
    ...refusals,
  },
});

export const showReturned = createRoute({
  method: 'get',
  path: '/payments/returned',
  tags,
  summary: 'Where providers lead people who have paid, or have not',
  security,
  responses: { 200: pageOf('The page') },
});

/** Writes what signs callbacks into the description of the interface. */
export const describeSignatures = (registry: OpenAPIHono['openAPIRegistry']): unknown =>
  registry.registerComponent('securitySchemes', 'stripeSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'Of a credential of kind stripe: made of its webhookSecret, the time and the body',
  });
