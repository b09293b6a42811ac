import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { needs } from '../platform/http/auth/require-permission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
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

const tags = ['Payments'];

const cursors = createRowCursor('payments');

const PaymentsQuery = PageQuery.extend({
  workflowId: QueryText('workflowId', 128).optional(),
  executionId: QueryText('executionId', 128).optional(),
  cursor: cursors.query,
});

const list = createRoute({
  method: 'get',
  path: '/payments',
  operationId: 'listPayments',
  ...needs('view'),
  tags,
  summary: 'Payments of an execution, of a workflow or of the company, newest first',
  description: 'The cursor of a page continues where that page ended.',
  request: { query: PaymentsQuery },
  responses: { 200: jsonResponse('Payments', Page(Listed)), ...errorResponses },
});

const get = createRoute({
  method: 'get',
  path: '/payments/{checkoutId}',
  operationId: 'getPayment',
  ...needs('view'),
  tags,
  summary: 'A payment with all events of its provider, including those after the execution stopped waiting',
  description: 'For questions of users about a payment: what was asked for, and what the provider said when.',
  request: { params: z.object({ checkoutId: z.string() }), query: CompanyQuery },
  responses: { 200: jsonResponse('The payment', PaymentWithEvents), ...errorResponses },
});

/** The payments of a company and their events. */
export function paymentRoutes(app: OpenAPIHono<HttpEnv>, service: Pick<PaymentParts, 'companies'>, payments: Payments): void {
  app.openapi(list, async (c) => {
    const { companyId, ...filter } = c.req.valid('query');
    const { results, nextCursor } = await payments.list(requireCompany(service, companyId).id, filter);
    return c.json({ results: results.map(describePayment), nextCursor: cursors.write(nextCursor) }, 200);
  });

  app.openapi(get, async (c) => {
    const { checkoutId } = c.req.valid('param');
    const { id: companyId } = requireCompany(service, c.req.valid('query').companyId);
    const payment = await payments.find(companyId, checkoutId);
    if (payment === undefined) throw notFound('PAYMENT_NOT_FOUND', `There is no payment "${checkoutId}"`);
    const events = await payments.events(companyId, payment.checkoutId);
    return c.json({ ...describePayment(payment), events: events.map(({ status, atMs }) => ({ status, at: formatInstant(atMs) })) }, 200);
  });
}

const describePayment = ({ createdAtMs, expiresAtMs, changedAtMs, ...payment }: Payment): z.output<typeof Listed> => ({
  ...payment,
  createdAt: formatInstant(createdAtMs),
  expiresAt: formatInstant(expiresAtMs),
  changedAt: changedAtMs === null ? null : formatInstant(changedAtMs),
});
