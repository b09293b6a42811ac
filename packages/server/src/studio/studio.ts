// The pages of the studio.
import type { ExecutionRecord, Problem } from '@hilo/engine/contract';
import { Hono, type MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import { formatInstant } from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { notFound } from '../platform/http/errors.ts';
import { type Html, renderPage } from '../platform/http/page.ts';
import { shownWorkflow } from '../platform/shown-names.ts';
import type { OpenIdLogin } from '../platform/http/auth/openid.ts';
import { requirePermission } from '../platform/http/auth/require-permission.ts';
import { type Company, requireOwn, type Tenancy } from '../tenants/companies.ts';
import { narrowParts } from '../tenants/narrow.ts';
import { readDraft, readDraftsPage, type WorkflowParts } from '../workflows/workflows.ts';
import type { Platform } from '../platform/platform.ts';
import { serveApplication, type StudioApplication } from './application.ts';

/** What the pages of the studio use. */
export type StudioParts = Pick<Platform, 'store' | 'effects' | 'nodes'> &
  Tenancy &
  Pick<WorkflowParts, 'channels' | 'functions' | 'canvasWork'> & {
    /** The built visual editor; without it, pages without scripts replace it. */
    readonly studio?: StudioApplication | undefined;
    /** The provider that people can log in with, where the service has one. */
    readonly openId?: OpenIdLogin | undefined;
  };

/**
 * The studio, to be mounted behind its own authentication: the application, if it was built, and pages without scripts (T20) at
 * `/studio/plain/`, which replace it if it was not. Links are relative, so that they work under any prefix of a host.
 */
export function createStudio(service: StudioParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get('/studio', (c) => c.redirect('studio/'));
  app.get('/studio/plain', (c) => c.redirect('plain/'));
  const { studio, openId } = service;
  addPlainPages(app, '/studio/plain', service);
  if (studio !== undefined) app.route('/', serveApplication(studio, openId?.name));
  addPlainPages(app, '/studio', service);
  return app;
}

function addPlainPages(app: Hono<HttpEnv>, root: string, service: StudioParts): void {
  // Nobody is known where a host mounts the studio behind its own authentication.
  const needed = requirePermission({ permission: 'view' });
  const requireView: MiddlewareHandler<HttpEnv> = (c, next) => (c.get('can') === undefined ? next() : needed(c, next));
  app.use(`${root}/*`, requireView);
  app.get(`${root}/`, async (c) => {
    const why =
      (await service.studio?.read()) === undefined
        ? html`<p>The visual editor is not built here: run <code>npm run studio</code>, then load this page again.</p>`
        : '';
    return renderPage(c, 200, 'Workflows', { content: html`${why}${await renderOverview(narrowParts(service, c.get('reach')))}` });
  });
  app.get(`${root}/:companyId/:workflowId`, async (c) => {
    const { companyId, workflowId } = c.req.param();
    requireOwn(narrowParts(service, c.get('reach')), companyId);
    const draft = await readDraft(service, companyId, workflowId);
    if (draft === undefined) throw notFound('WORKFLOW_NOT_FOUND', `There is no workflow "${workflowId}"`);
    const { canvas, latest, problems } = draft;
    const drawn = await service.canvasWork.draw(companyId, canvas);
    const isFull = c.req.query('size') === 'full';
    const content = html`<p>
        <a href="../">All workflows</a> · <code>${canvas.id}</code> · latest version: ${latest?.version ?? 'none'} · draft: ${describeCounts(problems)}
        · ${isFull ? html`<a href="?">the whole picture</a>` : html`<a href="?size=full">the picture at full size</a>`}
      </p>
      <div class="${isFull ? 'full' : 'whole'}">${'svg' in drawn ? raw(drawn.svg) : html`<p>${drawn.problem.message}</p>`}</div>
      ${renderProblems(problems)}`;
    return renderPage(c, 200, shownWorkflow(canvas), { content, shape: 'wide' });
  });
}

/** How many of each there are on the page; the others are in the management API. */
const [maxWorkflows, maxExecutions] = [100, 20];

/** Every company with its workflows and its latest executions. */
async function renderOverview(service: StudioParts): Promise<Html> {
  const companies = service.companies.all();
  if (companies.length === 0) return html`<p>There is no company: bring a workspace in with <code>hilo import FILE</code>.</p>`;
  const sections: Html[] = [];
  for (const company of companies) sections.push(await renderCompany(service, company));
  return html`${sections}`;
}

async function renderCompany(service: StudioParts, { id, name }: Company): Promise<Html> {
  const { workflowIds, nextCursor } = await readDraftsPage(service.store, id, { limit: maxWorkflows });
  const workflows: Html[] = [];
  for (const workflowId of workflowIds) workflows.push(await renderWorkflow(service, id, workflowId));
  const { results } = await service.store.executions.list(id, { limit: maxExecutions });
  return html`<section>
    <h2>${name}</h2>
    <table>
      <tr><th>Workflow</th><th>Latest version</th><th>Draft</th></tr>
      ${workflows}
    </table>
    ${nextCursor === null ? '' : html`<p>There are more: <code>GET /admin/v1/workflows?companyId=${id}</code></p>`}
    <h3>Latest executions</h3>
    <table>
      <tr><th>Execution</th><th>Workflow</th><th>Status</th><th>User</th><th>Updated</th></tr>
      ${results.map(renderExecution)}
    </table>
  </section>`;
}

async function renderWorkflow(service: StudioParts, companyId: string, workflowId: string): Promise<Html> {
  const draft = await readDraft(service, companyId, workflowId);
  if (draft === undefined) return html``;
  const { canvas, hash, latest, problems } = draft;
  const state = latest?.hash === hash ? 'as published' : 'not published';
  return html`<tr>
    <td><a href="${encodeURIComponent(companyId)}/${encodeURIComponent(workflowId)}">${shownWorkflow(canvas)}</a></td>
    <td>${latest?.version ?? 'none'}</td>
    <td>${state}, ${describeCounts(problems)}</td>
  </tr>`;
}

const renderExecution = ({ executionId, workflowId, version, state, updatedAtMs }: ExecutionRecord): Html => html`<tr>
  <td><code>${executionId}</code></td>
  <td>${workflowId} ${version === 'draft' ? 'draft' : `v${version}`}</td>
  <td>${state.status}${state.wait === undefined ? '' : ` for ${state.wait.kind}`}</td>
  <td>${state.origin.userId ?? ''}</td>
  <td>${formatInstant(updatedAtMs)}</td>
</tr>`;

/** The number of problems, in words. */
function describeCounts(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'no problems';
  const { error = [], warning = [] } = Object.groupBy(problems, ({ severity }) => severity);
  return [formatCount(error.length, 'error'), formatCount(warning.length, 'warning')].filter((text) => text !== '').join(', ');
}

const formatCount = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`);

/** The problems, with place and advice. */
const renderProblems = (problems: readonly Problem[]): Html => html`<ul>
  ${problems.map(({ severity, code, pointer, message, hint }) => html`<li>${severity} <code>${code}</code> at <code>${pointer || '/'}</code>: ${message}. ${hint}</li>`)}
</ul>`;
