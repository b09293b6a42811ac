import { buildResource } from '../platform/define-resource.ts';
import { segmentRoutes } from './routes.ts';

/** Sets of contacts by what they have in common. */
export const segmentResource = buildResource({ name: 'segments', routes: [...segmentRoutes] });
