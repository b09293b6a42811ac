import { buildResource } from '../../platform/define-resource.ts';
import { workspaceRoutes } from './admin-routes.ts';

/** Companies with all that is configured of them: as a whole, and by each kind of record. */
export const workspaceResource = buildResource({ name: 'workspace', routes: [...workspaceRoutes] });
