import { secret } from '../load/names.ts';
import type { Rule } from './evidence.ts';

/** The credential of a request is nowhere in the database's files (P31). */
export const keepsSecrets: Rule = ({ store }) =>
  store.bytes.includes(secret) ? ['A credential of a webhook request is in the store'] : [];
