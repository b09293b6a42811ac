// Which tables and columns move with a company.
import type { TableFacts } from '@hilo/stores';
import { campaigns, recipients } from '../../platform/tables/campaigns.ts';
import { tables } from '../../platform/tables/all.ts';
import * as companies from '../../platform/tables/companies.ts';
import { groupMembers } from '../../platform/tables/contacts.ts';
import {
  conversationReads,
  conversations,
  operatorGroups,
  operators,
  operatorTexts,
  rooms,
  roomTags,
  teams,
} from '../../platform/tables/conversations.ts';
import { eventDeliveries, eventSubscriptions } from '../../platform/tables/events.ts';
import { erasedExecutions, historyObjects } from '../../platform/tables/erasure.ts';
import { chatFiles, fileParts, files } from '../../platform/tables/files.ts';
import { functions, runtimeTokens } from '../../platform/tables/functions.ts';
import { jobs } from '../../platform/tables/jobs.ts';
import { messages, outbox } from '../../platform/tables/messages.ts';
import { segments } from '../../platform/tables/segments.ts';
import { paymentEvents, payments, paymentTests } from '../../platform/tables/payments.ts';
import { scheduledStarts, schedules } from '../../platform/tables/schedules.ts';
import { messageOutcomes, providerMessages, providerUsers, sendKeys, sendPaces } from '../../platform/tables/sending.ts';
import { tags } from '../../platform/tables/tags.ts';
import { templates } from '../../platform/tables/templates.ts';
import {
  archivedWorkflows,
  draftRevisions,
  prunedExecutions,
  transcripts,
  versionNotes,
  workflowComments,
  workflowFolders,
  workflowLocks,
} from '../../platform/tables/workflows.ts';

/** A table with rows of a company: what of them moves with it. */
export interface MovedTable {
  readonly name: string;
  /** Columns of texts that move, in the order of a line. The company's own column is left out: it is the same there. */
  readonly texts: readonly string[];
  /** Columns of integers that move, which follow the texts. */
  readonly integers: readonly string[];
  /** The column that the database numbers: rows move in its order, and get new numbers. */
  readonly number?: string;
  /** Where the rows have no `company_id`: the numbered table that they belong to, and the column that says to which row. */
  readonly of?: { readonly table: 'executions' | 'contacts'; readonly column: string };
  /** The same where a text begins with the company: the column, and what follows the company in it. */
  readonly named?: { readonly column: string; readonly before: '/' | ':' };
  /** A column in which no two companies have the same value. */
  readonly unique?: string;
  /** Whether rows also stay until the company is forgotten: they identify its callers, who are then told its new place. */
  readonly stays?: true;
}

/** The columns of a table value that move: all but the company's own and those that stay. */
function movedTable({ name, named, options: { moves, unique } }: TableFacts): MovedTable {
  const moving = named.filter(({ property, of }) => property !== 'companyId' && of.holds !== 'number' && of.staysBecause === undefined);
  const select = (type: 'text' | 'integer') => moving.filter(({ of }) => of.type === type).map((one) => one.name);
  const column = named.find(({ property }) => property === unique);
  const numbered = named.find(({ of }) => of.holds === 'number');
  return {
    name,
    ...(numbered !== undefined && { number: numbered.name }),
    texts: select('text'),
    integers: select('integer'),
    ...(moves === 'stays' && { stays: true }),
    ...(column !== undefined && { unique: column.name }),
  };
}

/** The tables of resources of a host that move with a company, after Hilo's own. */
export const withHostTables = (own: readonly TableFacts[]): readonly MovedTable[] => [
  ...movedTables,
  ...own.filter(({ options: { moves } }) => typeof moves === 'string').map(movedTable),
];

/** Every table of Hilo's that moves with a company, in the order in which rows are written. Each new table is here, or in {@link notMoved}. */
export const movedTables: readonly MovedTable[] = [
  movedTable(companies.companies),
  movedTable(companies.clients),
  movedTable(companies.apiKeys),
  movedTable(companies.bots),
  movedTable(companies.secrets),
  movedTable(companies.credentials),
  movedTable(companies.people),
  { name: 'contents', texts: ['hash', 'canvas'], integers: [] },
  { name: 'drafts', texts: ['workflow_id', 'hash'], integers: [] },
  { name: 'gates', texts: ['workflow_id', 'gate'], integers: ['until_ms'] },
  { name: 'versions', texts: ['workflow_id', 'hash'], integers: ['version', 'published_at_ms'] },
  movedTable(companies.importedWorkflows),
  movedTable(draftRevisions),
  movedTable(transcripts),
  movedTable(versionNotes),
  movedTable(archivedWorkflows),
  movedTable(workflowFolders),
  movedTable(workflowLocks),
  movedTable(workflowComments),
  movedTable(templates),
  movedTable(teams),
  movedTable(operators),
  movedTable(tags),
  movedTable(functions),
  movedTable(runtimeTokens),
  {
    name: 'executions',
    number: 'id',
    texts: [
      'execution_id',
      'workflow_id',
      'lane',
      'parent_execution_id',
      'parent_wait_id',
      'status',
      'bot_key',
      'user_key',
      'wait_id',
      'signal_name',
      'signal_value',
      'begun',
      'state',
    ],
    integers: [
      'version',
      'revision',
      'created_at_ms',
      'updated_at_ms',
      'due_at_ms',
      'reply_since_ms',
      'reply_order',
      'unsettled',
      'ended_at_ms',
    ],
  },
  { name: 'histories', number: 'id', of: { table: 'executions', column: 'execution' }, texts: ['body'], integers: [] },
  { name: 'exported', of: { table: 'executions', column: 'execution' }, texts: [], integers: [] },
  { name: 'queue', number: 'seq', texts: ['lane', 'accepted'], integers: ['accepted_at_ms', 'rank'] },
  { name: 'set_aside', number: 'seq', texts: ['lane', 'accepted'], integers: ['accepted_at_ms'] },
  { name: 'take_ups', named: { column: 'lane', before: '/' }, texts: ['lane'], integers: ['count'] },
  { name: 'seen', named: { column: 'key', before: ':' }, texts: ['key', 'answer'], integers: ['until_ms'] },
  { name: 'held_signals', texts: ['id', 'signal_name', 'signal_value', 'signal'], integers: ['held_at_ms', 'until_ms'] },
  movedTable(prunedExecutions),
  {
    name: 'contacts',
    number: 'id',
    texts: ['bot_id', 'user_key', 'user_id', 'names', 'phone', 'phone_key', 'bsuid', 'bsuid_key', 'time_zone', 'locale', 'person_key'],
    integers: ['window_until_ms'],
  },
  { name: 'memories', of: { table: 'contacts', column: 'contact' }, texts: ['name_key', 'name', 'value'], integers: ['expires_at_ms'] },
  movedTable(groupMembers),
  movedTable(segments),
  movedTable(rooms),
  movedTable(roomTags),
  movedTable(conversations),
  movedTable(conversationReads),
  movedTable(operatorGroups),
  movedTable(operatorTexts),
  movedTable(campaigns),
  movedTable(recipients),
  movedTable(jobs),
  movedTable(eventSubscriptions),
  movedTable(eventDeliveries),
  movedTable(erasedExecutions),
  movedTable(historyObjects),
  movedTable(schedules),
  movedTable(scheduledStarts),
  movedTable(messages),
  movedTable(outbox),
  movedTable(messageOutcomes),
  movedTable(sendKeys),
  movedTable(sendPaces),
  movedTable(providerMessages),
  movedTable(providerUsers),
  movedTable(chatFiles),
  movedTable(files),
  movedTable(fileParts),
  movedTable(payments),
  movedTable(paymentEvents),
  movedTable(paymentTests),
];

/** Every other table, and why its rows stay where they are. */
export const notMoved: { readonly [table: string]: string } = {
  meta: 'describes the store',
  service_revision: 'describes the store',
  probe: 'is written to see whether the store writes',
  turns: 'what a process does now',
  members: 'processes of the store',
  partitions: 'lanes of the processes of the store',
  writers: 'what processes of the store wrote last',
  calls: 'requests between processes: who sent them gets no answer, and repeats them',
  ended_sessions: 'operators of the store, who log in to each',
  accounts: 'operators of the store, with roles in each',
  login_links: 'operators of the store, who log in to each',
  conversation_days: 'counted again from the conversations, by triggers',
  number_cursors: 'how far histories are counted here',
  company_moves: 'says which companies are here, and which have left',
  company_move_rows: 'what moves',
  ...Object.fromEntries(tables.flatMap(({ name, options: { moves } }) => (typeof moves === 'string' ? [] : [[name, moves.notBecause]]))),
};

const stayingColumns = Object.fromEntries(
  tables.flatMap(({ name, named }) =>
    named.flatMap((column) => (column.of.staysBecause === undefined ? [] : [[`${name}.${column.name}`, column.of.staysBecause]])),
  ),
);

/** Columns of moved tables that do not move, and why. */
export const notMovedColumns: { readonly [column: string]: string } = {
  '*.part': 'is computed anew: only PostgreSQL has it',
  ...stayingColumns,
};

/** The columns of a line, in order. */
export const listColumns = ({ texts, integers }: MovedTable): readonly string[] => [...texts, ...integers];
