import type { Migration } from '@hilo/stores';

/**
 * What authors keep beside the engine's drafts: the draft as they saved it, with the places of its cards, which are no content; its number;
 * transcripts; and what they said of a version.
 */
export const authoringTables: Migration = ({ integer, byKey }) => [
  `create table draft_revisions (company_id text not null, workflow_id text not null, revision ${integer} not null, hash text not null, canvas text not null, saved_at_ms ${integer} not null, saved_by text not null, primary key (company_id, workflow_id)) ${byKey}`,
  `create table transcripts (company_id text not null, workflow_id text not null, name text not null, content text not null, updated_at_ms ${integer} not null, primary key (company_id, workflow_id, name)) ${byKey}`,
  `create table version_notes (company_id text not null, workflow_id text not null, version ${integer} not null, note text not null, published_by text not null, primary key (company_id, workflow_id, version)) ${byKey}`,
];

/** A draft as its author saved it last. */
interface DraftRevisionRow {
  readonly company_id: string;
  readonly workflow_id: string;
  /** Grows by one with each save. */
  readonly revision: number;
  /** Of the content; where the engine's draft has another, it was replaced by something that keeps no places, such as an import. */
  readonly hash: string;
  /** JSON. */
  readonly canvas: string;
  readonly saved_at_ms: number;
  readonly saved_by: string;
}

interface TranscriptRow {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly name: string;
  readonly content: string;
  readonly updated_at_ms: number;
}

interface VersionNoteRow {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly version: number;
  readonly note: string;
  readonly published_by: string;
}

export type AuthoringTables = {
  readonly draft_revisions: DraftRevisionRow;
  readonly transcripts: TranscriptRow;
  readonly version_notes: VersionNoteRow;
};
