import { buildResource } from '../platform/define-resource.ts';
import { tokenRoutes } from './admin-routes.ts';

/** Deployed functions and the tokens of their callers. */
export const functionResource = buildResource({ name: 'functions', routes: [...tokenRoutes] });
