import { drawCanvas } from '@hilo/picture';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { HttpEnv } from '../platform/http/context.ts';
import { page } from '../platform/http/page.ts';
import { notFound } from '../platform/http/refusal.ts';
import { draftOf } from '../workflows/draft-of.ts';
import type { Service } from '../service.ts';
import { serveApplication } from './application.ts';
import { overviewOf } from './overview.ts';
import { problemCount, problemList } from './problem-list.ts';

/**
 * The studio, to be mounted behind a door of its own: the application where it was built, and pages that need no script (T20) at
 * `/studio/plain/`, which stand in for it where it was not. Their links are relative, so that they hold under whatever prefix a host
 * mounts them.
 */
export function createStudio(service: Service): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get('/studio', (c) => c.redirect('studio/'));
  app.get('/studio/plain', (c) => c.redirect('plain/'));
  const { studio } = service;
  for (const root of studio === undefined ? ['/studio', '/studio/plain'] : ['/studio/plain']) plainPages(app, root, service);
  if (studio !== undefined) app.route('/', serveApplication(studio));
  return app;
}

function plainPages(app: Hono<HttpEnv>, root: string, service: Service): void {
  app.get(`${root}/`, async (c) => {
    const why =
      service.studio === undefined
        ? html`<p>The visual editor is not built here: run <code>npm run studio</code>, then start the service again.</p>`
        : '';
    return page(c, 200, 'Workflows', { content: html`${why}${await overviewOf(service)}` });
  });
  app.get(`${root}/:companyId/:workflowId`, async (c) => {
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
}
