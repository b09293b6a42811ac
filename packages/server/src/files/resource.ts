import { buildResource } from '../platform/define-resource.ts';
import { fileRoutes } from './routes.ts';

/** Files of users, by their handles. */
export const fileResource = buildResource({ name: 'files', routes: [...fileRoutes] });
