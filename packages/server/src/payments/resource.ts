import { buildResource } from '../platform/define-resource.ts';
import { paymentRoutes } from './admin-routes.ts';

/** Payments that workflows ask for. */
export const paymentResource = buildResource({ name: 'payments', routes: [...paymentRoutes] });
