// What the service keeps of workflows beside their canvases, which are the store's.
import { defineTable, integer, key, optional, plain, text } from '@hilo/stores';

/** Drafts as their authors saved them last. */
export const draftRevisions = defineTable(
  'draft_revisions',
  {
    companyId: key(text()),
    workflowId: key(text()),
    /** Grows by one with each save. */
    revision: integer(),
    /** The content's; when the engine's draft has another hash, something without positions replaced it, such as an import. */
    hash: text(),
    /** JSON. */
    canvas: text(),
    savedAtMs: integer(),
    savedBy: text(),
  },
  { moves: 'copied', personal: 'none' },
);

/** Recorded runs by which a workflow is tested. */
export const transcripts = defineTable(
  'transcripts',
  {
    companyId: key(text()),
    workflowId: key(text()),
    name: key(text()),
    content: text(),
    updatedAtMs: integer(),
  },
  { moves: 'copied', personal: 'none' },
);

/** What a version changes, in the words of whoever published it. */
export const versionNotes = defineTable(
  'version_notes',
  { companyId: key(text()), workflowId: key(text()), version: key(integer()), note: text(), publishedBy: text() },
  { moves: 'copied', personal: 'none' },
);

/** Workflows that lists leave out, while their executions continue. */
export const archivedWorkflows = defineTable(
  'archived_workflows',
  { companyId: key(text()), workflowId: key(text()), archivedAtMs: integer() },
  { moves: 'copied', personal: 'none' },
);

/** The folders of the list that workflows are in. */
export const workflowFolders = defineTable(
  'workflow_folders',
  { companyId: key(text()), workflowId: key(text()), folder: text() },
  { moves: 'copied', personal: 'none' },
);

/** What authors say of a workflow and its nodes, beside the canvas. */
export const workflowComments = defineTable(
  'workflow_comments',
  {
    companyId: key(text()),
    workflowId: key(text()),
    id: key(plain()),
    /** Absent for the whole workflow. */
    nodeId: optional(text()),
    text: text(),
    author: text(),
    createdAtMs: integer(),
    doneAtMs: optional(integer()),
    doneBy: optional(text()),
  },
  { moves: 'copied', personal: 'none' },
);

/** Workflows that one author keeps for themselves: nobody else saves or publishes their drafts. */
export const workflowLocks = defineTable(
  'workflow_locks',
  {
    companyId: key(text()),
    workflowId: key(text()),
    author: text(),
    /** The page that the author locked it in, by the id that it made for itself. */
    tab: optional(plain()),
    lockedAtMs: integer(),
  },
  { moves: 'copied', personal: 'none' },
);

/** Pages that have a workflow open, and at which node. */
export const authorsHere = defineTable(
  'authors_here',
  {
    companyId: key(text()),
    workflowId: key(text()),
    /** An id that the page makes for itself. */
    tab: key(plain()),
    name: text(),
    nodeId: optional(text()),
    seenAtMs: integer(),
  },
  { moves: { notBecause: 'said again within seconds by whoever is here' }, personal: 'none' },
);

/** How many executions with each status retention removed: a trigger counts (P35). */
export const prunedExecutions = defineTable(
  'pruned_executions',
  { companyId: key(text()), status: key(plain()), number: integer() },
  { moves: 'copied', personal: 'none' },
);
