import { tags } from './tags.ts';
import { templates } from './templates.ts';

/** Every table that is a value: the suites of all tables run over these, and a new table is one line here. */
export const tables = [tags, templates] as const;
