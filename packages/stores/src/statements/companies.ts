import { statement } from './statement.ts';

/** The companies that have published anything: read once at a start, from the whole index of versions. */
export const selectCompanies = statement()((db) => db.selectFrom('versions').select('company_id').distinct().orderBy('company_id'));
