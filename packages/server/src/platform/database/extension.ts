import type { Extension } from '@hilo/stores';
import { authoringTables } from '../../workflows/authoring-tables.ts';
import { conversationPairs } from './conversation-pairs.ts';
import { conversationTables } from './conversation-tables.ts';
import { redeployColumns } from './redeploy-columns.ts';
import { probeTable } from '../../operations/health.ts';
import { prunedExecutions } from './pruned-executions.ts';
import { messageCauses } from './message-causes.ts';
import { outboxTables } from './outbox-tables.ts';
import { sendKeysOfTexts } from '../../messages/send-keys.ts';
import { paymentTables } from './payment-tables.ts';
import { campaignClaims } from './campaign-claims.ts';
import { endedSessions } from './ended-sessions.ts';
import { firstTables } from './first-tables.ts';

/** The service's tables in the store's database; its migrations are only ever added to (P36). */
export const serviceTables: Extension = {
  name: 'service',
  migrations: [
    firstTables,
    campaignClaims,
    outboxTables,
    conversationTables,
    redeployColumns,
    conversationPairs,
    paymentTables,
    prunedExecutions,
    sendKeysOfTexts,
    probeTable,
    endedSessions,
    messageCauses,
    authoringTables,
  ],
};
