import { buildResource } from '../platform/define-resource.ts';
import { fileRoutes, uploadRoutes } from './routes.ts';

/** Files of users, by their handles. */
export const fileResource = buildResource({ name: 'files', routes: [...fileRoutes] });

/** The files that authors upload for the canvases of a company. */
export const uploadResource = buildResource({ name: 'uploads', routes: [...uploadRoutes] });
