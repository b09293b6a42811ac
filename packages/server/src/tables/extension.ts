import type { Extension } from '@hilo/stores';
import { conversationPairs } from '../conversations/conversation-pairs.ts';
import { conversationTables } from '../conversations/conversation-tables.ts';
import { redeployColumns } from '../functions/redeploy-columns.ts';
import { probeTable } from '../operations/health.ts';
import { prunedExecutions } from '../operations/pruned-executions.ts';
import { messageCauses } from '../messages/message-causes.ts';
import { outboxTables } from '../outbox/outbox-tables.ts';
import { sendKeysOfTexts } from '../outbox/send-keys.ts';
import { paymentTables } from '../payments/payment-tables.ts';
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
  ],
};
