// The order of the list of workflows, and the cursors of its pages.
import { setImmediate as turn } from 'node:timers/promises';
import { type DurableStore, integer, text } from '@hilo/stores';
import { z } from 'zod';
import { companyQuery } from '../platform/database/schema.ts';
import { readWorkflowIds } from '../platform/database/workflow-ids.ts';
import { shownWorkflow } from '../platform/shown-names.ts';
import { type WorkflowSort, workflowSorts } from './schema.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { readDraftsPage } from './workflows.ts';

/** The last workflow of a page. It need not exist any longer: the next page begins after where it was. */
interface Position {
  readonly key: string | number;
  readonly workflowId: string;
}

/** @returns the cursor of the page after this position, for a list of the same order */
const writeCursor = (sort: WorkflowSort, { key, workflowId }: Position): string =>
  Buffer.from(JSON.stringify([sort, key, workflowId])).toString('base64url');

const Cursor = z.tuple([z.enum(workflowSorts), z.union([z.string(), z.number()]), z.string()]);

/** @throws {HttpError} 422 for anything but a cursor of this order */
function readCursor(cursor: string, sort: WorkflowSort): Position {
  const { data } = Cursor.safeParse(parseJsonIfValid(Buffer.from(cursor, 'base64url').toString()));
  if (data?.[0] !== sort) throw invalidFields({ cursor: ['cursor is the nextCursor of the page before, in the same order'] });
  const [, key, workflowId] = data;
  return { key, workflowId };
}

/** @returns `undefined` for a text that is no JSON */
function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Store = Pick<DurableStore, 'runner' | 'canvases'>;

interface OrderQuery {
  readonly sort: WorkflowSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** How many executions of a workflow wait. */
  readonly waiting: (workflowId: string) => number;
}

/**
 * The ids of a page of a company's workflows, in the requested order. By id, only the page is read; otherwise every draft.
 *
 * @throws {HttpError} 422 for a cursor of another order, or of no list
 */
export async function readOrderedPage(store: Store, companyId: string, { sort, limit, cursor, waiting }: OrderQuery) {
  const after = cursor === undefined ? undefined : readCursor(cursor, sort);
  if (sort === 'workflowId') {
    const { workflowIds, nextCursor } = await readDraftsPage(store, companyId, { limit, cursor: after?.workflowId });
    return { workflowIds, nextCursor: nextCursor === null ? null : writeCursor(sort, { key: nextCursor, workflowId: nextCursor }) };
  }
  const order = createOrder(sort);
  const all = (await readAllPositions(store, companyId, { sort, waiting })).toSorted(order);
  const rest = after === undefined ? all : all.filter((position) => order(position, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    workflowIds: page.map(({ workflowId }) => workflowId),
    nextCursor: rest.length > limit && last !== undefined ? writeCursor(sort, last) : null,
  };
}

/** Of one language for every process, so that a cursor means the same to all of them. */
const names = new Intl.Collator('en', { numeric: true });

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : names.compare(String(a), String(b));

function createOrder(sort: WorkflowSort): (a: Position, b: Position) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  const byId = sort === '-workflowId' ? -1 : 1;
  return (a, b) =>
    (sort === '-workflowId' ? 0 : sign * compareKeys(a.key, b.key)) ||
    byId * (a.workflowId < b.workflowId ? -1 : Number(a.workflowId > b.workflowId));
}

/** A draft that was replaced without an author's save has another hash. */
const selectSaves = companyQuery({}, { workflowId: text(), savedAtMs: integer() }, (company) =>
  company
    .selectFrom('draft_revisions')
    .innerJoin('drafts', (join) =>
      join
        .onRef('drafts.company_id', '=', 'draft_revisions.company_id')
        .onRef('drafts.workflow_id', '=', 'draft_revisions.workflow_id')
        .onRef('drafts.hash', '=', 'draft_revisions.hash'),
    )
    .select(['draft_revisions.workflow_id', 'draft_revisions.saved_at_ms']),
);

async function readAllPositions(
  { runner, canvases }: Store,
  companyId: string,
  { sort, waiting }: Pick<OrderQuery, 'sort' | 'waiting'>,
): Promise<readonly Position[]> {
  const ids = await readWorkflowIds(runner, companyId);
  if (sort.endsWith('waiting')) return ids.map((workflowId) => ({ key: waiting(workflowId), workflowId }));
  if (sort.endsWith('updatedAt')) {
    const saves = new Map((await runner.read(selectSaves({ companyId }))).map(({ workflowId, savedAtMs }) => [workflowId, savedAtMs]));
    return ids.map((workflowId) => ({ key: saves.get(workflowId) ?? 0, workflowId }));
  }
  if (!sort.endsWith('name')) return ids.map((workflowId) => ({ key: workflowId, workflowId }));
  const positions: Position[] = [];
  for (const workflowId of ids) {
    const draft = await canvases.draft(companyId, workflowId);
    await turn(); // a canvas has up to 1 MB, and a company may have thousands (P20)
    if (draft !== undefined) positions.push({ key: shownWorkflow(draft.canvas), workflowId });
  }
  return positions;
}
