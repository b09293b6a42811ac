import { OpenAPIHono } from '@hono/zod-openapi';
import { tokenRoutes } from './functions/admin-routes.ts';
import type { HttpEnv } from './platform/http/context.ts';
import { inShape } from './platform/http/envelope.ts';
import { invalidInput } from './platform/http/refusal.ts';
import { paymentRoutes } from './payments/admin-routes.ts';
import type { Service } from './service.ts';
import { authoringRoutes } from './workflows/authoring-routes.ts';
import { catalogueRoutes } from './workflows/catalogue.ts';
import { conversationRoutes } from './conversations/admin-routes.ts';
import { executionRoutes } from './executions/admin-routes.ts';
import { messageRoutes } from './messages/admin-routes.ts';
import { publishingRoutes } from './workflows/publishing.ts';
import { triggerRoutes } from './executions/triggers.ts';
import { workflowRoutes } from './workflows/admin-routes.ts';
import { workspaceRoutes } from './tenants/workspace/admin-routes.ts';

/**
 * The management surface, to be mounted at `/admin/v1` behind a door of its own: it asks nobody for a credential.
 *
 * @example
 * app.use('/admin/v1/*', adminDoor);
 * app.route('/admin/v1', createManagement(service));
 */
export function createManagement(service: Service): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error);
    },
  });
  workflowRoutes(app, service);
  publishingRoutes(app, service);
  authoringRoutes(app, service);
  catalogueRoutes(app, service);
  executionRoutes(app, service);
  triggerRoutes(app, service);
  messageRoutes(app, service);
  conversationRoutes(app, service);
  workspaceRoutes(app, service);
  const { functions, payments } = service;
  if (functions !== undefined) tokenRoutes(app, functions);
  if (payments !== undefined) paymentRoutes(app, service, payments);
  return inShape(app, service);
}
