import { refuseMembers } from './refuse-members.ts';
import { partitionSql } from '../statements/partition.ts';
import type { DdlDialect } from './ddl-dialect.ts';

/**
 * In a shared database every row of a lane gets a column for the lane's partition, and every key begins with it: so tables can be
 * divided among servers by it. The indexes of lists, due times and recovery stay as they are: they are no keys.
 *
 * Statements of earlier builds name other keys. They are from before the first release (P36 begins with that), so their processes have
 * to be stopped first.
 */
export const partitionKeys = ({ whereShared }: DdlDialect): readonly string[] =>
  whereShared(
    refuseMembers,

    'drop index executions_by_name',
    'alter table executions alter column part drop expression',
    ...changeKey('executions', 'company_id, execution_id'),
    'create index executions_by_name on executions (company_id, execution_id)',
    'create index executions_by_number on executions (id)',

    ...copyPart('histories', 'executions', 'execution'),
    'drop index histories_by_execution',
    ...changeKey('histories', 'execution, id'),
    ...copyPart('exported', 'executions', 'execution'),
    ...changeKey('exported', 'execution'),

    ...computePart('contacts', "company_id || '/user/' || bot_id || '/' || user_key"),
    'drop index contacts_by_user',
    ...changeKey('contacts', 'company_id, bot_id, user_key'),
    'create index contacts_by_user on contacts (company_id, bot_id, user_key)',
    'create index contacts_by_number on contacts (id)',
    ...copyPart('memories', 'contacts', 'contact'),
    ...changeKey('memories', 'contact, name_key'),

    'alter table queue alter column part drop expression',
    ...changeKey('queue', 'seq'),
    ...computePart('set_aside', 'lane'),
    ...changeKey('set_aside', 'seq'),
    ...computePart('take_ups', 'lane'),
    ...changeKey('take_ups', 'lane'),
    ...computePart('seen', 'key'),
    ...changeKey('seen', 'key'),
    ...changeKey('calls', 'id'),
  );

/** Computes the partition of a text while the table is rewritten: a company that is being moved has triggers which refuse an update. */
const computePart = (table: string, text: string): readonly string[] => [
  `alter table ${table} add column part smallint generated always as (${partitionSql(text)}) stored`,
  `alter table ${table} alter column part drop expression`,
];

/** Gives rows the partition of the row of another table that they belong to. */
const copyPart = (table: string, of: string, column: string): readonly string[] => [
  `alter table ${table} add column part smallint`,
  // A row that belongs to none is never found.
  `update ${table} set part = coalesce((select part from ${of} where id = ${table}.${column}), 0)`,
];

/** @param rest - the columns of the key after the partition */
const changeKey = (table: string, rest: string): readonly string[] => [
  `alter table ${table} drop constraint ${table}_pkey, alter column part set not null, add primary key (part, ${rest})`,
];
