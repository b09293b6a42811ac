import { buildResource } from '../platform/define-resource.ts';
import { overviewRoutes } from './overview-routes.ts';
import { getStatistics } from './routes.ts';

/** How a company fares, on one page. */
export const overviewResource = buildResource({ name: 'overview', routes: [...overviewRoutes] });

/** Counts of conversations for clients. */
export const statisticsResource = buildResource({ name: 'statistics', routes: [getStatistics] });
