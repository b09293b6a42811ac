import type { DdlDialect } from './ddl-dialect.ts';
import { refuseMembers } from './refuse-members.ts';

/**
 * From here on rows are written in the format of `row-text.ts`. No table changes, and rows of the first format stay as they are: they are
 * read, and written anew when their execution advances. The number keeps releases out that would take a new row for a damaged one.
 */
export const rowFormat = ({ whereShared }: DdlDialect): readonly string[] => whereShared(refuseMembers);
