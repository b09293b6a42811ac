import { buildResource } from '../platform/define-resource.ts';
import { eventRoutes } from './routes.ts';

/** Who is told of what happens. */
export const eventResource = buildResource({ name: 'events', routes: [...eventRoutes] });
