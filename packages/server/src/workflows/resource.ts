// What workflows add to the service: drafts and versions, what they can name, whether executions enter them, and moves between versions.
import { buildResource } from '../platform/define-resource.ts';
import { draftRoutes, publishingRoutes } from './admin-routes.ts';
import { authoringRoutes } from './authoring-routes.ts';
import { catalogueRoutes, listReferences } from './catalogue.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { pauseWorkflow, publishVersionAgain, unpauseWorkflow, unpublishWorkflow } from './gate-routes.ts';
import { lockRoutes } from './locks.ts';
import { migrateJob, undoJob } from './migrate-jobs.ts';
import { migrationRoutes } from './migration-routes.ts';
import { publishJob } from './publish-draft.ts';
import { replayRoutes } from './replay-routes.ts';
import { sendRequest } from './request-routes.ts';
import { listServerTools } from './tool-servers.ts';
import { togetherRoutes } from './together-routes.ts';
import { transcriptRoutes } from './transcript-routes.ts';

/** Drafts, their versions, and the ways in which they are read and tried. */
export const workflowResource = buildResource({
  name: 'workflows',
  routes: [...draftRoutes, ...publishingRoutes, deleteWorkflow, ...authoringRoutes, ...transcriptRoutes, ...togetherRoutes, ...lockRoutes],
  jobs: [publishJob],
});

/** What a canvas can name: nodes, and what a company has. */
export const catalogueResource = buildResource({ name: 'catalogue', routes: [listReferences, ...catalogueRoutes] });

/** Whether executions enter a workflow, and which version they enter. */
export const gateResource = buildResource({
  name: 'gates',
  routes: [pauseWorkflow, unpauseWorkflow, unpublishWorkflow, publishVersionAgain],
});

/** Executions that are brought to another version, and histories that are played with one. */
export const migrationResource = buildResource({
  name: 'migrations',
  routes: [...migrationRoutes, ...replayRoutes],
  jobs: [migrateJob, undoJob],
});

/** The call of an API node, made for its author. */
export const requestResource = buildResource({ name: 'requests', routes: [sendRequest] });

/** The tools of MCP servers. */
export const toolResource = buildResource({ name: 'tools', routes: [listServerTools] });
