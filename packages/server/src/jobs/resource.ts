import { buildResource } from '../platform/define-resource.ts';
import { jobRoutes } from './routes.ts';

/** Durable work, as operators see and steer it. */
export const jobResource = buildResource({ name: 'jobs', routes: [...jobRoutes] });
