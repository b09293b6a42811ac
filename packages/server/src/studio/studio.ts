import { drawCanvas } from '@hilo/picture';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { HttpEnv } from '../platform/http/context.ts';
import { page } from '../platform/http/page.ts';
import { notFound } from '../platform/http/refusal.ts';
import { draftOf } from '../workflows/draft-of.ts';
import type { Service } from '../service.ts';
import { overviewOf } from './overview.ts';
import { problemCount, problemList } from './problem-list.ts';

/**
 * Pages for operators, to be mounted behind a door of their own: `/studio/` shows the workflows and the latest executions of
 * every company, and each workflow has a page with its picture. They are made here, without a script (T20). Their links are relative,
 * so that they hold under whatever prefix a host mounts them.
 */
export function createStudio(service: Service): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get('/studio', (c) => c.redirect('studio/'));
  app.get('/studio/', async (c) => page(c, 200, 'Workflows', { content: await overviewOf(service) }));
  app.get('/studio/:companyId/:workflowId', async (c) => {
    const { companyId, workflowId } = c.req.param();
    const draft = await draftOf(service, companyId, workflowId);
    if (draft === undefined) throw notFound('WORKFLOW_NOT_FOUND', `There is no workflow "${workflowId}"`);
    const { canvas, latest, problems } = draft;
    const content = html`<p>
        <a href="../">All workflows</a> · <code>${canvas.id}</code> · latest version: ${latest?.version ?? 'none'} · draft: ${problemCount(problems)}
      </p>
      ${problemList(problems)} ${raw(drawCanvas(canvas, service.nodes).svg)}`;
    return page(c, 200, canvas.name || canvas.id, { content });
  });
  return app;
}
