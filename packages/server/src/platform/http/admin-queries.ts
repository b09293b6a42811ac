import { executionStatuses } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';

/** Which company is meant: needed where there are several. */
export const CompanyQuery = z.object({
  companyId: z.string().min(1).max(64).optional().openapi({ description: 'May be left out where there is one company' }),
});

/** Which company is meant, where an id says it as well. */
export const ExecutionQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'May be left out: the id of an execution is unique among all companies' }),
});

/** Which company's workflow is meant. */
export const WorkflowQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'May be left out where one company alone has such a workflow' }),
});

/** A page with more would be long to make: variables have up to 1 MB an execution. */
const mostOfPage = 200;

/** The page of a list. */
const PageQuery = CompanyQuery.extend({
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'limit is a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= mostOfPage, `limit is 1 to ${mostOfPage}`)
    .default(50)
    .openapi({ type: 'integer', minimum: 1, maximum: mostOfPage, default: 50 }),
});

/** A cursor that numbers rows. */
const RowCursor = z
  .string()
  .regex(/^\d{1,15}$/, 'cursor is the nextCursor of the page before')
  .optional()
  .openapi({ description: 'The nextCursor of the page before' });

export const WorkflowsQuery = PageQuery.extend({
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_:-]{1,128}$/, 'cursor is the nextCursor of the page before')
    .optional(),
});

export const MessagesQuery = PageQuery.extend({ userId: z.string().min(1).max(128).optional(), cursor: RowCursor });

export const PaymentsQuery = PageQuery.extend({
  workflowId: z.string().min(1).max(128).optional(),
  executionId: z.string().min(1).max(128).optional(),
  cursor: RowCursor,
});

export const ExecutionsQuery = PageQuery.extend({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'All companies, when left out' }),
  workflowId: z.string().min(1).max(128).optional(),
  status: z.enum(executionStatuses).optional(),
  userId: z.string().min(1).max(128).optional(),
  cursor: RowCursor,
});
