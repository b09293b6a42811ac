import { checkCanvasText } from '@hilo/engine';
import { readCanvas } from '@hilo/engine/debug';
import { type CatalogueEntry, canvasSchema, nodeCatalogue } from '@hilo/nodes';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { checksFor, type WorkflowParts } from './workflows.ts';
import { companyOf } from '../tenants/company-of.ts';
import { bodyErrorResponses, CanvasProblem, CompanyQuery, page, errorResponses, Values } from '../platform/http/admin.ts';
import { refuseText } from './admin-routes.ts';

const tags = ['Canvases'];

const validate = createRoute({
  method: 'post',
  path: '/validate',
  tags,
  summary: 'Checks a canvas as publishing would, and keeps nothing',
  description: 'With a company, or where there is only one, also what the canvas names of it, and the limits of its channels.',
  request: { query: CompanyQuery, body: jsonBody('The bare canvas') },
  responses: {
    200: jsonResponse('Every problem at once; ok when none is an error', z.object({ ok: z.boolean(), problems: z.array(CanvasProblem) })),
    ...bodyErrorResponses,
  },
});

const NodeEntry = z.custom<CatalogueEntry>().openapi('NodeEntry', {
  type: 'object',
  description: 'How a node looks, its ports, and the JSON Schema of its data',
  required: ['type', 'label', 'category', 'icon', 'colour', 'description', 'formHints', 'schema'],
});

const nodes = createRoute({
  method: 'get',
  path: '/nodes',
  tags,
  summary: 'The catalogue: what a front end needs to draw the palette, a node and its form',
  responses: { 200: jsonResponse('Every node', page(NodeEntry)), ...errorResponses },
});

const schema = createRoute({
  method: 'get',
  path: '/canvas.schema.json',
  tags,
  summary: 'The JSON Schema of a canvas, for editors',
  responses: { 200: jsonResponse('JSON Schema, draft 2020-12', Values), ...errorResponses },
});

/** What canvases are made of, and what is wrong with one. */
export function catalogueRoutes(app: OpenAPIHono<HttpEnv>, service: WorkflowParts): void {
  const catalogue = nodeCatalogue(service.nodes);
  const canvasFormat = canvasSchema(service.nodes);

  app.openapi(validate, async (c) => {
    const { companyId } = c.req.valid('query');
    const isFor = companyId !== undefined || service.companies.all().length === 1 ? companyOf(service, companyId) : undefined;
    const text = await c.req.text();
    const { canvas } = readCanvas(text);
    const problems =
      canvas === undefined || isFor === undefined
        ? checkCanvasText(text, { nodes: service.nodes, effects: service.effects, resolve: () => undefined })
        : checkCanvasText(text, await checksFor(service, isFor.id, canvas));
    for (const problem of problems) refuseText(problem);
    return c.json({ ok: problems.every(({ severity }) => severity === 'warning'), problems: [...problems] }, 200);
  });

  app.openapi(nodes, (c) => c.json({ results: [...catalogue], nextCursor: null }, 200));
  app.openapi(schema, (c) => c.json(canvasFormat, 200));
}
