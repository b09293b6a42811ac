// A field of contacts changes its type, or its options, only once what is stored of it fits.
import { type ContactField, contactFieldProblem, JsonObject, parseJsonText, type Problem } from '@hilo/engine/contract';
import { call, encodeText, type Runner } from '@hilo/stores';
import { isDeepStrictEqual } from 'node:util';
import { ofCompany } from '../../platform/database/schema.ts';
import { companies } from '../../platform/tables/companies.ts';
import type { WorkspaceCompany } from './schema.ts';
import { workspaceProblem } from './problems.ts';

/** People that one statement looks through: others are served in between. */
const pageRows = 1_000;

const selectFields = ofCompany<{ readonly after: string; readonly rows: number }>()((company, { after, rows }) =>
  company.selectFrom('people').select(['person_key', 'fields']).where('person_key', '>', after).orderBy('person_key').limit(rows),
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
  for (let after = ''; ; ) {
    const page = await runner.read(call(selectFields, { companyId: encodeText(companyId), after, rows: pageRows }));
    for (const { fields } of page) {
      if (fields === null || fields === '{}') continue;
      const stored = JsonObject.parse(parseJsonText(fields));
      for (const field of changed) {
        const value = stored[field.key];
        if (value !== undefined && contactFieldProblem(field, value) !== undefined) counts.set(field.key, (counts.get(field.key) ?? 0) + 1);
      }
    }
    const last = page.at(-1)?.person_key;
    if (last === undefined || page.length < pageRows) return counts;
    after = last;
  }
}
