import type { OpenAPIHono } from '@hono/zod-openapi';
import type { HttpEnv } from '../http/context.ts';

/** An OpenAPI 3.1 document. */
export type InterfaceDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** The description of an app's routes, made from the schemas that judge their requests (VER-01). */
export const describeInterface = (app: Pick<OpenAPIHono<HttpEnv>, 'getOpenAPI31Document'>): InterfaceDocument =>
  app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Hilo',
      version: '1.0.0',
      description: 'Conversational messaging and workflows: webhooks, channels, management and operations.',
    },
  });
