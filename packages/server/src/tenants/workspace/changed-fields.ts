// A field of contacts changes its type, or its options, only once what is stored of it fits.
import { type ContactField, contactFieldProblem, type Problem } from '@hilo/engine/contract';
import { type Runner, integer, plain } from '@hilo/stores';
import { isDeepStrictEqual } from 'node:util';
import { companies, people } from '../../platform/tables/companies.ts';
import type { WorkspaceCompany } from './schema.ts';
import { workspaceProblem } from './problems.ts';
import { createTurns } from '../../platform/turns.ts';

/** People that one statement looks through: others are served in between. */
const pageRows = 1_000;

const selectFields = people.read(['personKey', 'fields'], { after: plain(), limit: integer() }, (rows, { after, limit }) =>
  rows.where('person_key', '>', after).orderBy('person_key').limit(limit),
);

/** Fields whose new declaration values of contacts do not fit, each with their number. */
export async function findUnfitFields(
  runner: Pick<Runner, 'read' | 'readOne'>,
  { id, fields = [] }: Pick<WorkspaceCompany, 'id' | 'fields'>,
  at: readonly PropertyKey[],
): Promise<readonly Problem[]> {
  const companyId = String(id);
  const before = (await runner.readOne(companies.find({ companyId })))?.fields ?? [];
  const changed = fields.filter((field) => {
    const was = before.find(({ key }) => key === field.key);
    return was !== undefined && (was.type !== field.type || !isDeepStrictEqual(was.options, field.options));
  });
  if (changed.length === 0) return [];
  const counts = await countUnfit(runner, companyId, changed);
  return changed.flatMap((field) => {
    const count = counts.get(field.key) ?? 0;
    if (count === 0) return [];
    const place = fields.findIndex(({ key }) => key === field.key);
    const words = `${count} ${count === 1 ? 'contact has a value' : 'contacts have values'} of "${field.key}" that would not fit (${field.type})`;
    return [workspaceProblem('CONTRADICTION', [...at, 'fields', place, 'type'], `${words}: change or remove them first`)];
  });
}

async function countUnfit(
  runner: Pick<Runner, 'read'>,
  companyId: string,
  changed: readonly ContactField[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const nextTurn = createTurns(1);
  for (let after = ''; ; ) {
    await nextTurn();
    const page = await runner.read(selectFields({ companyId, after, limit: pageRows }));
    for (const { fields } of page) {
      if (fields === undefined) continue;
      for (const field of changed) {
        const value = fields[field.key];
        if (value !== undefined && contactFieldProblem(field, value) !== undefined) counts.set(field.key, (counts.get(field.key) ?? 0) + 1);
      }
    }
    const last = page.at(-1)?.personKey;
    if (last === undefined || page.length < pageRows) return counts;
    after = last;
  }
}
