import { periodBits } from '../statements/users-executions.ts';
import type { DdlDialect } from './ddl-dialect.ts';

/**
 * Indexes for which a start of a new user changed a page each:
 * - that of a user's executions is ordered by periods first in SQLite, see {@link periodBits};
 * - a contact whose phone number or business-scoped id is the user's own id is found by that alone;
 * - delivery ids are pruned in the order of their keys in SQLite, see `forgetByKey`.
 */
export const fewerPages = ({ whereOwn }: DdlDialect): readonly string[] => [
  ...aliases('phone'),
  ...aliases('bsuid'),
  ...whereOwn(
    'drop index executions_by_user',
    `create index executions_by_user on executions (id >> ${periodBits}, company_id, user_key) where user_key is not null`,
    'drop index seen_by_end',
  ),
];

const aliases = (name: string): readonly string[] => [
  `drop index contacts_by_${name}`,
  `create index contacts_by_${name} on contacts (company_id, bot_id, ${name}_key) where ${name}_key <> user_key`,
];
