import type { Migration } from './extension.ts';

/** What became of the last group of commits of each that writes groups; a database with one process needs none. */
export const writers: Migration = ({ isShared, growing, integer }) =>
  isShared ? [`create table writers (id ${growing}, token text not null, answer text, at_ms ${integer} not null)`] : [];
