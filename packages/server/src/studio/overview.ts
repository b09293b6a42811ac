import type { ExecutionRecord } from '@hilo/engine/contract';
import { html } from 'hono/html';
import type { Html } from '../platform/http/page.ts';
import { draftOf } from '../workflows/draft-of.ts';
import { draftsPage } from '../workflows/drafts-page.ts';
import { instant } from '../platform/http/instant.ts';
import type { Company } from '../tenants/companies.ts';
import type { Service } from '../service.ts';
import { problemCount } from './problem-list.ts';

/** How many of each there are on the page; the others are in the management API. */
const [mostWorkflows, mostExecutions] = [100, 20];

/** Every company with its workflows and its latest executions. */
export async function overviewOf(service: Service): Promise<Html> {
  const companies = service.companies.all();
  if (companies.length === 0) return html`<p>There is no company: bring a workspace in with <code>hilo import FILE</code>.</p>`;
  const sections: Html[] = [];
  for (const company of companies) sections.push(await sectionOf(service, company));
  return html`${sections}`;
}

async function sectionOf(service: Service, { id, name }: Company): Promise<Html> {
  const { workflowIds, nextCursor } = await draftsPage(service.store, id, { limit: mostWorkflows });
  const workflows: Html[] = [];
  for (const workflowId of workflowIds) workflows.push(await workflowRow(service, id, workflowId));
  const { results } = await service.store.executions.list(id, { limit: mostExecutions });
  return html`<section>
    <h2>${name}</h2>
    <table>
      <tr><th>Workflow</th><th>Latest version</th><th>Draft</th></tr>
      ${workflows}
    </table>
    ${nextCursor === null ? '' : html`<p>There are more: <code>GET /admin/v1/workflows?companyId=${id}&amp;cursor=${nextCursor}</code></p>`}
    <h3>Latest executions</h3>
    <table>
      <tr><th>Execution</th><th>Workflow</th><th>Status</th><th>User</th><th>Updated</th></tr>
      ${results.map(executionRow)}
    </table>
  </section>`;
}

async function workflowRow(service: Service, companyId: string, workflowId: string): Promise<Html> {
  const draft = await draftOf(service, companyId, workflowId);
  if (draft === undefined) return html``;
  const { canvas, hash, latest, problems } = draft;
  const state = latest?.hash === hash ? 'as published' : 'not published';
  return html`<tr>
    <td><a href="${encodeURIComponent(companyId)}/${encodeURIComponent(workflowId)}">${canvas.name || workflowId}</a></td>
    <td>${latest?.version ?? 'none'}</td>
    <td>${state}, ${problemCount(problems)}</td>
  </tr>`;
}

const executionRow = ({ executionId, workflowId, version, state, updatedAtMs }: ExecutionRecord): Html => html`<tr>
  <td><code>${executionId}</code></td>
  <td>${workflowId} ${version === 'draft' ? 'draft' : `v${version}`}</td>
  <td>${state.status}${state.wait === undefined ? '' : ` for ${state.wait.kind}`}</td>
  <td>${state.origin.userId ?? ''}</td>
  <td>${instant(updatedAtMs)}</td>
</tr>`;
