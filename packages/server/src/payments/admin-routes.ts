// Management of payments.
import { z } from '@hono/zod-openapi';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { acme } from '../platform/http/example-requests.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { notFound } from '../platform/http/errors.ts';
import { requireCompany } from '../tenants/companies.ts';
import { CompanyQuery, errorResponses, Instant, formatInstant, Page, PageQuery, createRowCursor } from '../platform/http/admin.ts';
import { QueryText } from '../platform/http/query.ts';
import { paymentStatuses, type Payment, type Payments, type PaymentParts } from './payments.ts';

const Listed = z
  .object({
    checkoutId: z.string(),
    workflowId: z.string(),
    nodeId: z.string(),
    executionId: z.string(),
    provider: z.string().openapi({ description: '"test", or the kind of the credential' }),
    credentialId: z.string().nullable(),
    amount: z.int().openapi({ description: 'In the smallest unit of the currency' }),
    currency: z.string(),
    description: z.string(),
    status: z.enum(paymentStatuses),
    isLate: z
      .boolean()
      .nullable()
      .openapi({ description: 'Whether the execution had gone another way when this came to be known; null until that is clear' }),
    reference: z.string().nullable().openapi({ description: "The provider's own name for it" }),
    url: z.string().nullable(),
    createdAt: Instant,
    expiresAt: Instant,
    changedAt: Instant.nullable(),
  })
  .openapi('Payment');
const PaymentWithEvents = Listed.extend({ events: z.array(z.object({ status: z.string(), at: Instant })) }).openapi('PaymentWithEvents');

/** What these routes work with. */
type ListParts = Pick<PaymentParts, 'companies'> & { readonly payments: Payments };

const tags = ['Payments'];

const cursors = createRowCursor('payments');

const PaymentsQuery = PageQuery.extend({
  workflowId: QueryText('workflowId', 128).optional(),
  executionId: QueryText('executionId', 128).optional(),
  cursor: cursors.query,
});

const list = defineRoute({
  get: '/admin/v1/payments',
  operationId: 'listPayments',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Payments of an execution, of a workflow or of the company, newest first',
  description: 'The cursor of a page continues where that page ended.',
  query: PaymentsQuery,
  answer: jsonResponse('Payments', Page(Listed)),
  refusals: errorResponses,
  example: { query: { companyId: '1', limit: '10' } },
  async handle({ query: { companyId, ...filter } }, service: ListParts) {
    const { results, nextCursor } = await service.payments.list(requireCompany(service, companyId).id, filter);
    return { results: results.map(describePayment), nextCursor: cursors.write(nextCursor) };
  },
});

const get = defineRoute({
  get: '/admin/v1/payments/{checkoutId}',
  operationId: 'getPayment',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'A payment with all events of its provider, including those after the execution stopped waiting',
  description: 'For questions of users about a payment: what was asked for, and what the provider said when.',
  params: z.object({ checkoutId: z.string() }),
  query: CompanyQuery,
  answer: jsonResponse('The payment', PaymentWithEvents),
  refusals: errorResponses,
  example: { path: { checkoutId: 'CHECKOUT_ID' }, ...acme },
  async handle({ params: { checkoutId }, query }, service: ListParts) {
    const { id: companyId } = requireCompany(service, query.companyId);
    const payment = await service.payments.find(companyId, checkoutId);
    if (payment === undefined) throw notFound('PAYMENT_NOT_FOUND', `There is no payment "${checkoutId}"`);
    const events = await service.payments.events(companyId, payment.checkoutId);
    return { ...describePayment(payment), events: events.map(({ status, atMs }) => ({ status, at: formatInstant(atMs) })) };
  },
});

/** The payments of a company and their events. */
export const paymentRoutes: readonly Route<ListParts>[] = [list, get];

const describePayment = ({ createdAtMs, expiresAtMs, changedAtMs, ...payment }: Payment): z.output<typeof Listed> => ({
  ...payment,
  createdAt: formatInstant(createdAtMs),
  expiresAt: formatInstant(expiresAtMs),
  changedAt: changedAtMs === null ? null : formatInstant(changedAtMs),
});
