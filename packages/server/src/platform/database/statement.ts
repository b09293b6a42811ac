import { statementsOver } from '@hilo/stores';
import type { ServiceTables } from './rows.ts';

/** Defines a statement over the service's tables, beside the store's own. */
export const statement = statementsOver<ServiceTables>();
