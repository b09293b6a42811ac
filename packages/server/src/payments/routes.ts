// The routes that payment providers call, and the pages of test checkouts.
import { utf8 } from '@hilo/engine';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { invalidRequest, notFound, type HttpError, unauthorized } from '../platform/http/errors.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { renderPage } from '../platform/http/page.ts';
import { type PageLanguage, readPageWords } from '../platform/http/page-words.ts';
import { readClientAddress } from '../platform/http/socket-address.ts';
import { readBody } from '../platform/http/read-body.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Payment, Payments, PaymentParts } from './payments.ts';

/** What these routes work with. */
interface CheckoutParts {
  readonly payments: Payments;
  readonly traffic: Pick<Traffic, 'admission' | 'rateLimit'>;
}

const tags = ['Payments'];
const checkout = z.object({ checkoutId: z.string() });
const describePage = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });
const errorResponses = {
  404: jsonResponse('There is no such test', ErrorBody),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
};

const callback = defineRoute({
  post: '/payments/callbacks/{companyId}/{credentialId}',
  operationId: 'receivePaymentEvent',
  tags,
  summary: 'Receives an event of a payment provider: configure this address at the provider of the credential',
  description:
    'The event is stored before the answer, and resumes the execution that waits for the payment. A repeated one has no second effect.',
  auth: 'payments',
  params: z.object({ companyId: z.string(), credentialId: z.string() }),
  body: { description: 'As the provider sends it', content: { 'application/json': { schema: { type: 'object' } } } },
  answer: jsonResponse(
    'Durably accepted',
    z.object({
      success: z.literal(true),
      duplicate: z.literal(true).optional().openapi({ description: 'The event was received before' }),
      ignored: z.literal(true).optional().openapi({ description: 'The event is for no payment of this service' }),
    }),
  ),
  refusals: {
    400: jsonResponse('The signature is valid, but the body is not an event', ErrorBody),
    401: jsonResponse('Not signed, signed with another secret, or more than five minutes ago', ErrorBody),
    413: jsonResponse('The body is larger than 1 MB', ErrorBody),
    429: errorResponses[429],
    503: errorResponses[503],
  },
  example: {
    path: { companyId: '1', credentialId: 'CREDENTIAL_ID' },
    body: { id: 'evt_1', type: 'checkout.session.completed' },
  },
  async handle({ c, params: { companyId, credentialId } }, { payments, traffic }: CheckoutParts) {
    const { headers } = c.req.raw;
    if (!payments.signatureHeaders.some((name) => headers.has(name)))
      throw unauthorized('Sign the event: no header with a signature came with it');
    switch (await payments.takeCallback(companyId, credentialId, { headers, body: await readAnonymousBody(c, traffic) })) {
      case 'forged': // an unknown account answers like a wrong secret (P28)
        throw unauthorized('The signature is not that of this body under the secret of this address, or it is too old');
      case 'unreadable':
        throw invalidRequest('The body is no event of this provider');
      case 'taken':
        return { success: true as const };
      case 'repeated':
        return { success: true as const, duplicate: true as const };
      case 'ignored':
        return { success: true as const, ignored: true as const };
    }
  },
});

const showTest = defineRoute({
  get: '/payments/test/{checkoutId}',
  operationId: 'showTestPayment',
  tags,
  summary: 'The page of a payment in test mode; looking at it changes nothing',
  description: 'It offers to approve or to reject, as a page of a provider would; no money moves.',
  auth: 'address',
  params: checkout,
  answer: describePage('The page'),
  refusals: errorResponses,
  example: { path: { checkoutId: 'CHECKOUT_ID' } },
  async handle({ c, params: { checkoutId } }, { payments, traffic: { rateLimit } }: CheckoutParts) {
    await rateLimit?.consume(`checkout ${checkoutId}`);
    const payment = await payments.test(checkoutId);
    if (payment === undefined) throw noSuchTest();
    return renderTestPage(c, payment);
  },
});

const chooseTest = defineRoute({
  post: '/payments/test/{checkoutId}',
  operationId: 'chooseTestPayment',
  tags,
  summary: 'Ends a payment in test mode; only the first choice counts',
  description: 'The execution resumes as it would after an event of a provider.',
  auth: 'address',
  params: checkout,
  body: {
    description: 'The form of the page',
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', required: ['choice'], properties: { choice: { enum: ['approve', 'reject'] } } },
      },
    },
  },
  also: { 303: { description: 'The choice is made: the page shows the result' } },
  refusals: {
    400: jsonResponse('Neither approve nor reject', ErrorBody),
    413: jsonResponse('The body is larger than 1 MB', ErrorBody),
    ...errorResponses,
  },
  example: { path: { checkoutId: 'CHECKOUT_ID' }, body: 'choice=approve' },
  async handle({ c, params: { checkoutId } }, { payments, traffic }: CheckoutParts) {
    await traffic.rateLimit?.consume(`checkout ${checkoutId}`);
    if ((await payments.test(checkoutId)) === undefined) throw noSuchTest(); // GEN-09
    const choice = new URLSearchParams(utf8(await readAnonymousBody(c, traffic))).get('choice');
    if (choice !== 'approve' && choice !== 'reject') throw invalidRequest('Choose "approve" or "reject"');
    await payments.chooseTest(checkoutId, choice === 'approve' ? 'approved' : 'rejected');
    return c.redirect(encodeURIComponent(checkoutId), 303); // relative, so that a path prefix of a proxy is kept
  },
});

const showReturned = defineRoute({
  get: '/payments/returned',
  operationId: 'showReturnedPage',
  tags,
  summary: 'The page to which providers redirect after a payment, approved or not',
  description: 'For the browser alone: the execution learns the result from the event of the provider.',
  auth: 'address',
  answer: describePage('The page'),
  refusals: {},
  example: {},
  handle: ({ c }) => renderReturnedPage(c),
});

/** Writes what signs callbacks into the description of the interface. */
const describeSignatures = (registry: OpenAPIHono['openAPIRegistry']): unknown =>
  registry.registerComponent('securitySchemes', 'stripeSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'For a credential of kind stripe: computed from its webhookSecret, the time and the body',
  });

/** The checkout page of a test: the order, and a form with two buttons and no script (PAY-01). */
function renderTestPage(c: Context<HttpEnv>, payment: Payment): Promise<Response> {
  const { language, words } = readPageWords(c);
  const { description, status } = payment;
  const choice = html`<p>${words.noMoneyMoves}</p>
    <form method="post">
      <button class="primary" name="choice" value="approve">${words.approve}</button>
      <button name="choice" value="reject">${words.reject}</button>
    </form>`;
  return renderPage(c, 200, words.testPayment, {
    language,
    shape: 'card',
    hasSecretAddress: true,
    content: html`<p><strong>${description}</strong></p>
      <p>${formatAmount(payment, language)}</p>
      ${status === 'open' ? choice : html`<p role="status">${words.payment[status]}${isDecided(status) ? ` ${words.backToTalk}` : ''}</p>`}`,
  });
}

const isDecided = (status: Payment['status']): boolean => status === 'approved' || status === 'rejected';

/** The page to which a provider redirects people at the end: opening it changes nothing. */
function renderReturnedPage(c: Context<HttpEnv>): Promise<Response> {
  const { language, words } = readPageWords(c);
  return renderPage(c, 200, words.thanks, { language, shape: 'card', hasSecretAddress: true, content: html`<p>${words.backToTalk}</p>` });
}

/** An amount with the decimals of its currency. */
function formatAmount({ amount, currency }: Pick<Payment, 'amount' | 'currency'>, language: PageLanguage): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/**
 * Webhooks of payment providers, each event signed with the credential's secret (T5), and the pages of payments in test mode, whose
 * address is the only credential.
 */
export function createPaymentSurface(
  service: PaymentParts & { readonly payments: Payments },
  traffic: Traffic = createTraffic(service),
): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  describeSignatures(app.openAPIRegistry);
  app.use('/payments/*', envelope(service, traffic, 'payments'));
  mountRoutes(app, { payments: service.payments, traffic }, [callback, showReturned, showTest, chooseTest]);
  return app;
}

async function readAnonymousBody(c: Context<HttpEnv>, { admission }: Pick<Traffic, 'admission'>): Promise<Uint8Array> {
  const entry = admission.enter({ kind: 'anonymous', address: readClientAddress(c) });
  try {
    return await readBody(c, entry);
  } finally {
    entry.leave();
  }
}

const noSuchTest = (): HttpError => notFound('PAYMENT_NOT_FOUND', 'There is no such test payment');
