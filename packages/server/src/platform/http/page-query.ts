import { z } from '@hono/zod-openapi';

/** A whole number of a query: digits and nothing else. */
const WholeNumber = (name: string) =>
  z.string(`${name} stands in the query once`).regex(/^\d+$/, `${name} is a whole number`).transform(Number);

const longestPage = 50;

/** Up to here the place of a page in the whole is exact. */
const lastPage = Math.floor(Number.MAX_SAFE_INTEGER / longestPage);

/** Which page of a list, and how long pages are (CAM-06, CON-03, CON-04). Outside its bounds a value is refused, not cut. */
export const PageQuery = z.object({
  limit: WholeNumber('limit')
    .refine((limit) => limit >= 1 && limit <= longestPage, `limit is 1 to ${longestPage}`)
    .default(10)
    .openapi({ type: 'integer', minimum: 1, maximum: longestPage, default: 10 }),
  page: WholeNumber('page')
    .refine((page) => page >= 1, 'page is 1 or more')
    .refine((page) => page <= lastPage, `page is at most ${lastPage}`)
    .default(1)
    .openapi({ type: 'integer', minimum: 1, maximum: lastPage, default: 1 }),
});

type Page = z.output<typeof PageQuery>;

/** Rows before the page. */
export const offsetOf = ({ limit, page }: Page): number => (page - 1) * limit;

/** Where a page stands in the whole (CAM-08). */
export const pagination = ({ limit, page }: Page, total: number) => ({
  limit,
  page,
  total,
  offset: offsetOf({ limit, page }),
  totalPages: Math.ceil(total / limit),
});

export const Pagination = z
  .object({ limit: z.int(), page: z.int(), total: z.int(), offset: z.int(), totalPages: z.int() })
  .openapi('Pagination');
