import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/app.ts';
import { fakeManagement } from './fake-management.ts';

describe('the document', () => {
  it('has every route of the surface, with what it answers', async () => {
    await using management = await fakeManagement();
    const { paths } = createManagement(management.service).getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Hilo', version: '1.0.0' },
    });
    const documented = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method} ${path}`),
    );
    expect(documented).toEqual([
      'get /workflows',
      'get /workflows/{workflowId}',
      'put /workflows/{workflowId}',
      'delete /workflows/{workflowId}',
      'post /workflows/{workflowId}/archive',
      'post /workflows/{workflowId}/restore',
      'post /workflows/{workflowId}/publish',
      'get /workflows/{workflowId}/versions',
      'get /workflows/{workflowId}/versions/{version}',
      'get /me',
      'get /workflows/{workflowId}/population',
      'get /workflows/{workflowId}/diff',
      'post /describe',
      'get /workflows/{workflowId}/transcripts',
      'get /workflows/{workflowId}/transcripts/{name}',
      'put /workflows/{workflowId}/transcripts/{name}',
      'delete /workflows/{workflowId}/transcripts/{name}',
      'get /references',
      'post /validate',
      'get /nodes',
      'get /canvas.schema.json',
      'get /executions',
      'get /executions/{executionId}',
      'get /executions/{executionId}/history',
      'get /executions/{executionId}/states/{step}',
      'post /executions/{executionId}/cancel',
      'post /executions/{executionId}/release',
      'post /executions/{executionId}/retry',
      'post /executions/{executionId}/fork',
      'get /executions/{executionId}/replay',
      'get /events',
      'post /signals',
      'post /workflows/{workflowId}/start',
      'get /bots/{botId}/messages',
      'post /bots/{botId}/check',
      'get /audit',
      'post /workflows/{workflowId}/pause',
      'post /workflows/{workflowId}/unpause',
      'post /workflows/{workflowId}/unpublish',
      'post /workflows/{workflowId}/versions/{version}/publish',
      'post /workflows/{workflowId}/migrations/plan',
      'post /workflows/{workflowId}/migrations',
      'post /workflows/{workflowId}/replays',
      'post /executions/bulk/plan',
      'post /executions/bulk',
      'get /jobs',
      'get /jobs/{jobId}',
      'patch /jobs/{jobId}',
      'post /jobs/{jobId}/pause',
      'post /jobs/{jobId}/resume',
      'post /jobs/{jobId}/cancel',
      'post /jobs/{jobId}/undo',
      'post /conversations',
      'get /conversations',
      'get /conversations/{conversationId}',
      'post /conversations/{conversationId}/messages',
      'post /conversations/{conversationId}/close',
      'post /conversations/{conversationId}/resolve',
      'post /conversations/{conversationId}/transfer',
      'post /conversations/{conversationId}/assign',
      'get /inbox',
      'get /inbox/people',
      'get /inbox/events',
      'get /inbox/{conversationId}',
      'get /inbox/{conversationId}/messages',
      'post /inbox/{conversationId}/read',
      'put /inbox/{conversationId}/tags',
      'post /inbox/{conversationId}/templates',
      'get /companies/{companyId}/contacts',
      'get /companies/{companyId}/contacts/{id}',
      'patch /companies/{companyId}/contacts/{id}',
      'put /companies/{companyId}/contacts/{id}',
      'get /companies/{companyId}/groups',
      'put /companies/{companyId}/groups/{group}/contacts/{id}',
      'delete /companies/{companyId}/groups/{group}/contacts/{id}',
      'delete /companies/{companyId}/groups/{group}',
      'post /mcp',
    ]);
    for (const methods of Object.values(paths ?? {})) {
      for (const operation of Object.values(methods ?? {}) as readonly { readonly responses: object }[])
        expect(Object.keys(operation.responses).map((status) => (status === '202' ? '200' : status))).toEqual(
          expect.arrayContaining(['200', '401', '404', '422', '503']), // 202 where a job does it
        );
    }
  });
});
