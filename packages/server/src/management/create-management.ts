import { OpenAPIHono } from '@hono/zod-openapi';
import { tokenRoutes } from '../functions/token-routes.ts';
import type { HttpEnv } from '../http/context.ts';
import { inShape } from '../http/envelope.ts';
import { invalidInput } from '../http/refusal.ts';
import { paymentRoutes } from '../payments/payment-routes.ts';
import type { Service } from '../service/service.ts';
import { catalogueRoutes } from './catalogue.ts';
import { conversationRoutes } from './conversations.ts';
import { executionRoutes } from './executions.ts';
import { messageRoutes } from './messages.ts';
import { publishingRoutes } from './publishing.ts';
import { triggerRoutes } from './triggers.ts';
import { workflowRoutes } from './workflows.ts';
import { workspaceRoutes } from './workspaces.ts';

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
