import { nowMs } from '../postgres/member-queries.ts';
import { partitionSql } from '../statements/partition.ts';
import type { DdlDialect } from './ddl-dialect.ts';

/**
 * In a shared database every row of a lane gets a column for the lane's partition, and every key begins with it: so tables can be
 * divided among servers by it. The indexes of lists, due times and recovery stay as they are: they are no keys.
 *
 * Statements of earlier builds name other keys. They are from before the first release (P36 begins with that), so their processes have
 * to be stopped first.
 */
export const partitionKeys = ({ isShared }: DdlDialect): readonly string[] =>
  isShared
    ? [
        `do $$ begin
          if exists (select from members where alive_until_ms >= ${nowMs}) then
            raise exception 'processes of an earlier build serve it, and cannot beside this one: stop all of them first';
          end if;
        end $$`,

        'drop index executions_by_name',
        'alter table executions alter column part drop expression',
        ...changeKey('executions', 'company_id, execution_id'),
        'create index executions_by_name on executions (company_id, execution_id)',
        'create index executions_by_number on executions (id)',

        ...addPart('histories', '(select part from executions where id = histories.execution)'),
        'drop index histories_by_execution',
        ...changeKey('histories', 'execution, id'),
        ...addPart('exported', '(select part from executions where id = exported.execution)'),
        ...changeKey('exported', 'execution'),

        ...addPart('memories', `(select ${partOfContact} from contacts where id = memories.contact)`),
        ...changeKey('memories', 'contact, name_key'),
        ...addPart('contacts', partOfContact),
        'drop index contacts_by_user',
        ...changeKey('contacts', 'company_id, bot_id, user_key'),
        'create index contacts_by_user on contacts (company_id, bot_id, user_key)',
        'create index contacts_by_number on contacts (id)',

        'alter table queue alter column part drop expression',
        ...changeKey('queue', 'seq'),
        ...addPart('set_aside', partitionSql('lane')),
        ...changeKey('set_aside', 'seq'),
        ...addPart('take_ups', partitionSql('lane')),
        ...changeKey('take_ups', 'lane'),
        ...addPart('seen', partitionSql('key')),
        ...changeKey('seen', 'key'),
        ...changeKey('calls', 'id'),
      ]
    : [];

const partOfContact = partitionSql("company_id || '/user/' || bot_id || '/' || user_key");

const addPart = (table: string, part: string): readonly string[] => [
  `alter table ${table} add column part smallint`,
  `update ${table} set part = coalesce(${part}, 0)`, // a row that belongs to none is never found
];

/** @param rest - the columns of the key after the partition */
const changeKey = (table: string, rest: string): readonly string[] => [
  `alter table ${table} drop constraint ${table}_pkey, alter column part set not null, add primary key (part, ${rest})`,
];
