import { buildResource } from '../platform/define-resource.ts';
import type { Platform } from '../platform/platform.ts';
import { executionRoutes } from './admin-routes.ts';
import { bulkJob, bulkRoutes } from './bulk.ts';
import { streamEvents } from './event-routes.ts';
import type { ExecutionParts } from './execution-pages.ts';
import { triggerRoutes } from './trigger-routes.ts';

/** Executions: lists, histories, starts, signals, and acts on many at once. */
export const executionResource = buildResource<ExecutionParts & Pick<Platform, 'nodes' | 'clock' | 'isAccepting' | 'log'>>({
  name: 'executions',
  routes: [...executionRoutes, streamEvents, ...triggerRoutes],
});

/** Acts on all executions that a filter finds. */
export const bulkResource = buildResource({ name: 'bulk', routes: [...bulkRoutes], jobs: [bulkJob] });
