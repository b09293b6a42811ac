// MCP servers whose tools agents call: an author lists them once, and the canvas keeps what it takes. A run lists nothing.
import { DriverError } from '@hilo/drivers';
import type { listMcpTools } from '@hilo/integrations';
import { z } from '@hono/zod-openapi';
import { bodyErrorResponses, CompanyQuery, parseBody } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { HttpError } from '../platform/http/errors.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireCompany, type Tenancy } from '../tenants/companies.ts';

/** Looks at MCP servers, with the credentials of a company. */
export interface ToolServers {
  list(companyId: string, server: { readonly url: string; readonly credentialId?: string | undefined }): ReturnType<typeof listMcpTools>;
}

const ToolServerRequest = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'The address of a server is whole, such as https://tools.example.com/mcp' }).max(2_000),
  credentialId: z.string().min(1).max(128).optional(),
});

const ToolOfServer = z
  .object({
    name: z.string().openapi({ description: 'Its name at the server: the "tool" of a tool of an agent' }),
    description: z.string().openapi({ description: 'What it does, as the server says it' }),
    schema: z.record(z.string(), z.unknown()).openapi({ description: 'The JSON Schema of its inputs' }),
    readOnly: z.boolean().openapi({ description: 'Whether the server says that it changes nothing' }),
  })
  .openapi('ToolOfServer');

/** Lists the tools of a server. */
export const listServerTools = defineRoute({
  post: '/admin/v1/mcp/tools',
  operationId: 'listServerTools',
  auth: 'operator',
  permission: 'edit',
  tags: ['Canvases'],
  summary: 'The tools of an MCP server, to be added to an agent',
  description:
    'A canvas keeps the schema of each tool that it takes: a server that changes its list changes no agent. The call goes out as those of canvases do, to public addresses alone, and follows no redirect.',
  query: CompanyQuery,
  body: closedBody('The server', {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', description: 'The address of the server' },
      credentialId: { type: 'string', description: 'The credential of the company that it is called with' },
    },
  }),
  answer: jsonResponse(
    'Its tools, in its order',
    z.object({ tools: z.array(ToolOfServer).openapi({ description: 'Each with the schema of what it takes' }) }),
  ),
  refusals: { ...bodyErrorResponses, 409: jsonResponse('The server gave no list, or the credential does not fit', ErrorBody) },
  example: { query: { companyId: '1' }, body: { url: 'https://tools.example.com/mcp' } },
  async handle({ c, query }, { companies, toolServers }: Pick<Tenancy, 'companies'> & { readonly toolServers: ToolServers }) {
    const { id } = requireCompany({ companies }, query.companyId);
    const listed = await toolServers.list(id, parseBody(ToolServerRequest, await c.req.text())).catch((error: unknown) => {
      if (error instanceof DriverError) return { kind: 'failed', message: error.message } as const;
      throw error;
    });
    if (listed.kind === 'failed') throw new HttpError(409, 'MCP_SERVER_FAILED', listed.message);
    return { tools: [...listed.tools] };
  },
});
