import { sql } from 'kysely';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** The same hash is the same content. */
export const insertContent = statement<{ readonly companyId: string; readonly hash: string; readonly canvas: string }>()((db, given) =>
  db
    .insertInto('contents')
    .values({ company_id: given.companyId, hash: given.hash, canvas: given.canvas })
    .onConflict((conflict) => conflict.columns(['company_id', 'hash']).doNothing()),
);

export const selectContent = statement<{ readonly companyId: string; readonly hash: string }>()((db, { companyId, hash }) =>
  db.selectFrom('contents').select('canvas').where('company_id', '=', companyId).where('hash', '=', hash),
);

export const saveDraft = statement<{ readonly companyId: string; readonly workflowId: string; readonly hash: string }>()((db, given) =>
  db
    .insertInto('drafts')
    .values({ company_id: given.companyId, workflow_id: given.workflowId, hash: given.hash })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id']).doUpdateSet(({ ref }) => ({ hash: ref('excluded.hash') }))),
);

/** Gives no row where there is a draft. */
export const insertDraft = statement<{ readonly companyId: string; readonly workflowId: string; readonly hash: string }>()((db, given) =>
  db
    .insertInto('drafts')
    .values({ company_id: given.companyId, workflow_id: given.workflowId, hash: given.hash })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id']).doNothing())
    .returning('workflow_id'),
);

/** Gives no row where the draft is another than before. */
export const replaceDraft = statement<{
  readonly companyId: string;
  readonly workflowId: string;
  readonly hash: string;
  readonly before: string;
}>()((db, given) =>
  db
    .updateTable('drafts')
    .set({ hash: given.hash })
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('hash', '=', given.before)
    .returning('workflow_id'),
);

export const selectDraft = statement<{ readonly companyId: string; readonly workflowId: string }>()((db, { companyId, workflowId }) =>
  db.selectFrom('drafts').select('hash').where('company_id', '=', companyId).where('workflow_id', '=', workflowId),
);

/** Those of a company that an index finds. */
export const selectDrafts = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db.selectFrom('drafts').select('hash').where('company_id', '=', companyId),
);

/** Gives no row where another writer took the number. */
export const insertVersion = statement<{
  readonly companyId: string;
  readonly workflowId: string;
  readonly version: number;
  readonly hash: string;
  readonly publishedAtMs: number;
}>()((db, given) =>
  db
    .insertInto('versions')
    .values({
      company_id: given.companyId,
      workflow_id: given.workflowId,
      version: given.version,
      hash: given.hash,
      published_at_ms: given.publishedAtMs,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id', 'version']).doNothing())
    .returning('version'),
);

const versions = (db: Database) => db.selectFrom('versions').select(['workflow_id', 'version', 'hash', 'published_at_ms']);

/** The same with what keeps the workflow from being started. */
const gatedVersions = (db: Database) =>
  db
    .selectFrom('versions')
    .leftJoin('gates', (join) =>
      join.onRef('gates.company_id', '=', 'versions.company_id').onRef('gates.workflow_id', '=', 'versions.workflow_id'),
    )
    .select(['versions.workflow_id', 'versions.version', 'versions.hash', 'versions.published_at_ms', 'gates.gate']);

/** From the first to the latest. */
export const selectVersions = statement<{ readonly companyId: string; readonly workflowId: string }>()((db, { companyId, workflowId }) =>
  versions(db).where('company_id', '=', companyId).where('workflow_id', '=', workflowId).orderBy('version'),
);

export const findVersion = statement<{ readonly companyId: string; readonly workflowId: string; readonly version: number }>()((db, given) =>
  versions(db).where('company_id', '=', given.companyId).where('workflow_id', '=', given.workflowId).where('version', '=', given.version),
);

export const selectLatest = statement<{ readonly companyId: string; readonly workflowId: string }>()((db, { companyId, workflowId }) =>
  gatedVersions(db)
    .where('versions.company_id', '=', companyId)
    .where('versions.workflow_id', '=', workflowId)
    .orderBy('versions.version', 'desc')
    .limit(1),
);

export const selectPublished = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  gatedVersions(db)
    .where('versions.company_id', '=', companyId)
    .where('versions.version', '=', ({ selectFrom }) =>
      selectFrom('versions as other')
        .select(sql<number>`max(other.version)`.as('latest'))
        .whereRef('other.company_id', '=', 'versions.company_id')
        .whereRef('other.workflow_id', '=', 'versions.workflow_id'),
    ),
);
