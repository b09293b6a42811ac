import { buildResource } from '../platform/define-resource.ts';
import { accessRoutes } from './routes.ts';

/** Users, their roles and their tokens. */
export const accessResource = buildResource({ name: 'access', routes: [...accessRoutes] });
