// What handlers of management say of the act that a request is: who does it, and to what.
import type { Context } from 'hono';
import type { ActedOn, HttpEnv } from './context.ts';

/** Most characters of an operator's name in a history, in a draft or beside a version. */
const maxNameChars = 200;

/** Who sent a request, as histories, drafts and versions keep it. */
export const nameOperator = (c: Context<HttpEnv>): string => (c.get('credential') ?? 'operator').slice(0, maxNameChars).toWellFormed();

/** Adds to the record of a request what its act is done to; later facts replace earlier ones. */
export const noteAct = (c: Context<HttpEnv>, on: ActedOn): void => c.set('audit', { ...c.get('audit'), ...on });
