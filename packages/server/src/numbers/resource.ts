import { buildResource } from '../platform/define-resource.ts';
import { numberRoutes } from './routes.ts';

/** What executions did, counted by the hour. */
export const numberResource = buildResource({ name: 'numbers', routes: [...numberRoutes] });
