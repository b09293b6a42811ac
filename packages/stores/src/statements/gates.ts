// Statements of gates, and the trigger by which the database refuses starts that were decided before a gate was closed.
import type { Database } from './database.ts';
import { call, type Call } from './call.ts';
import { statement } from './statement.ts';

type WorkflowKey = { readonly companyId: string; readonly workflowId: string };

/** Gates that stay as they are, as a pattern of what is written of them. */
type Kept = { readonly kept: string };

/** Writes nothing over a gate that stays as it is, judged while its row is locked. */
export const saveGate = statement<WorkflowKey & Kept & { readonly gate: string; readonly untilMs: number | null }>()((db, given) =>
  db
    .insertInto('gates')
    .values({ company_id: given.companyId, workflow_id: given.workflowId, gate: given.gate, until_ms: given.untilMs })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'workflow_id'])
        .doUpdateSet(({ ref }) => ({ gate: ref('excluded.gate'), until_ms: ref('excluded.until_ms') }))
        .where('gates.gate', 'not like', given.kept),
    ),
);

export const deleteGate = statement<WorkflowKey & Kept>()((db, given) =>
  db
    .deleteFrom('gates')
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('gate', 'not like', given.kept),
);

/** What is written of a gate begins with its state. */
export const gatesOf = (state: 'paused' | 'unpublished' | undefined): string => (state === undefined ? '' : `{"state":"${state}"%`);

/** A statement that Kysely has no builder for. @param write - from the name of the table of executions, with its schema */
const onExecutions = (write: (executions: string) => string): Call =>
  call(
    statement()((db: Database) => {
      const compiled = db.selectFrom('executions').selectAll().compile();
      const sql = write(compiled.sql.replace(/^select \* from /, ''));
      return { compile: () => ({ ...compiled, sql, parameters: [] }) };
    }),
    {},
  );

const trigger = 'executions_skip_gated';

/**
 * Makes the trigger, before a gate is written in the same transaction. Where processes share the database this waits for the writes of
 * starts that are in progress; later ones see the gate. A store without a gate pays nothing for it.
 */
export const guardStarts: { readonly [Database in 'sqlite' | 'postgres']: readonly Call[] } = {
  sqlite: [
    onExecutions(
      (executions) => `create trigger if not exists ${trigger} before insert on ${executions}
        when new.version > 0 and new.parent_execution_id is null and exists (
          select 1 from gates where company_id = new.company_id and workflow_id = new.workflow_id
            and (until_ms is null or until_ms > new.created_at_ms))
        begin select raise(ignore); end`,
    ),
  ],
  postgres: [
    onExecutions((executions) => `drop trigger if exists ${trigger} on ${executions}`),
    onExecutions(
      (executions) =>
        `create trigger ${trigger} before insert on ${executions} for each row
        execute function ${executions.replace('"executions"', 'skip_gated_start')}()`,
    ),
  ],
};
