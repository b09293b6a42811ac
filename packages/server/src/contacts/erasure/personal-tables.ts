// Which rows of which table are of a person: an export of the person reads them, and an erasure removes them. A table says it in its
// definition (`personal`); those of the store and of the service itself are listed here.
import type { PersonalOwner, TableFacts } from '@hilo/stores';
import { tables } from '../../platform/tables/all.ts';

/** A table with rows of a person, as SQL names it. */
export interface PersonalTable {
  readonly name: string;
  readonly of: PersonalOwner;
  /** The column that says whose a row is. */
  readonly column: string;
  /** The column that stands before it in the index by which such rows are found. */
  readonly among?: 'bot_id' | 'campaign_id';
  /** What each of these columns becomes, where the rows stay, such as to be counted. */
  readonly blanks?: { readonly [column: string]: string | number | null };
}

/** The personal facts of a table value by the names that SQL has for its columns. */
export function describeTable({ name, named, options }: TableFacts): PersonalTable | undefined {
  const { personal = 'none' } = options;
  if (personal === 'none') return undefined;
  const nameOf = (property: string): string => named.find((one) => one.property === property)?.name ?? property;
  const { of, column, among, blanks } = personal;
  return {
    name,
    of,
    column: nameOf(column),
    ...(among !== undefined && { among: among === 'botId' ? 'bot_id' : 'campaign_id' }),
    ...(blanks !== undefined && { blanks: Object.fromEntries(Object.entries(blanks).map(([key, value]) => [nameOf(key), value])) }),
  };
}

/** Every table whose rows are removed, or blanked, by the column that says whose they are. */
export const personalTables: readonly PersonalTable[] = tables.flatMap((table) => describeTable(table) ?? []);

/** Tables that an erasure clears in a way of their own, and where. */
export const clearedTables: { readonly [table: string]: string } = {
  executions: 'by their user, after their cancellation, each in the transaction that puts it on the list of erased ones',
  histories: 'with their execution',
  exported: 'with their execution',
  queue: 'by the lanes of the person',
  set_aside: 'by the lanes of the person',
  take_ups: 'by the lanes of the person',
  seen: 'by what their keys and answers name of the person',
  held_signals: 'by what they name of the person',
  contacts: 'at the end, with the person: until then they say what is to be erased',
  memories: 'with their contact',
  audit: 'what names the person becomes the id of the contact',
  jobs: 'by what others have been told of the person',
};

/** Tables without a person, and why. */
export const impersonalTables: { readonly [table: string]: string } = {
  meta: 'describes the store',
  service_revision: 'describes the store',
  probe: 'is written to see whether the store writes',
  turns: 'what a process does now',
  members: 'processes of the store',
  partitions: 'lanes of the processes of the store',
  writers: 'what processes of the store wrote last',
  calls: 'requests between processes: they are removed with their answer',
  ended_sessions: 'operators',
  accounts: 'operators',
  login_links: 'operators',
  company_moves: 'says which companies are here, and which have left',
  company_move_rows: 'a company that moves refuses erasures, and these rows are gone after the move',
  contents: 'canvases, as their authors wrote them',
  drafts: 'canvases',
  versions: 'canvases',
  gates: 'canvases',
  conversation_days: 'counts',
  number_cursors: 'how far histories are counted',
};
