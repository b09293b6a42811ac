import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../stores/src/schema/migrations.ts';
import { sqliteDialect } from '../../../stores/src/schema/ddl-dialect.ts';
import { sqliteDatabase } from '../../../stores/src/statements/database.ts';
import type { Call } from '../../../stores/src/statements/call.ts';
import { compile, type Statement } from '../../../stores/src/statements/statement.ts';
import * as campaigns from '../../src/campaigns/sql.ts';
import { templateOnItsWay } from '../../src/messages/outbox-sql.ts';
import * as rooms from '../../src/contacts/sql.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';

describe('the plan of every statement over campaigns, rooms and messages that are to leave', () => {
  const database = new DatabaseSync(':memory:');
  for (const migration of [...migrations, ...serviceTables.migrations]) for (const sql of migration(sqliteDialect)) database.exec(sql);
  const planOf = (statement: Statement<never, unknown>): readonly string[] =>
    database
      .prepare(`explain query plan ${compile(statement, sqliteDatabase()).sql}`)
      .all()
      .map(({ detail }) => String(detail));

  const { anyDue, claim, complete, forgetClaims, releaseDue, settleRecipient, unclaimed, waitingRecipients, ...ofTable } = campaigns;
  const { selectTags, selectRoomOfUser, growTagsRevision, deleteTags, ...joined } = rooms;
  const place = { companyId: '1', roomId: 'room' };
  const campaign = { companyId: '1', id: 'spring' };
  const calls: { readonly [Name in keyof typeof ofTable]: Call } & { readonly [name: string]: Call } = {
    selectTags: selectTags(place),
    growTagsRevision: growTagsRevision({ ...place, revision: 0 }),
    deleteTags: deleteTags(place),
    selectRoomOfUser: selectRoomOfUser({ companyId: '1', botId: 'bot', userId: 'ana' }),
    stillSends: ofTable.stillSends(campaign),
    countMessage: ofTable.countMessage({ ...campaign, delivered: 1, failed: 0 }),
    countSkipped: ofTable.countSkipped(campaign),
    campaignOf: ofTable.campaignOf(campaign),
    campaignsOfCompany: ofTable.campaignsOfCompany({ companyId: '1', limit: 10, offset: 0 }),
    campaignsOfStatus: ofTable.campaignsOfStatus({ companyId: '1', status: 'PENDING', limit: 10, offset: 0 }),
    countOfCompany: ofTable.countOfCompany({ companyId: '1' }),
    countOfStatus: ofTable.countOfStatus({ companyId: '1', status: 'PENDING' }),
    openMade: ofTable.openMade({ ...campaign, status: 'PENDING', total: 1 }),
    growScheduled: ofTable.growScheduled({ ...campaign, added: 1 }),
    pauseOpen: ofTable.pauseOpen({ ...campaign, nowMs: 0, reason: 'an operator' }),
    resumePaused: ofTable.resumePaused(campaign),
    statusOfCampaign: ofTable.statusOfCampaign(campaign),
    cancelScheduled: ofTable.cancelScheduled(campaign),
    updateScheduled: ofTable.updateScheduled({ ...campaign, name: 'Spring', scheduledAtMs: 0 }),
  };
  const statements: { readonly [name: string]: Statement<never, unknown> } = {
    anyDue,
    claim,
    complete,
    forgetClaims,
    releaseDue,
    settleRecipient,
    unclaimed,
    waitingRecipients: waitingRecipients({ ...campaign, limit: 1 }).statement,
    templateOnItsWay,
    ...joined,
    ...Object.fromEntries(Object.entries(calls).map(([name, { statement }]) => [name, statement])),
  };

  // Few campaigns are waiting to be sent: an index of those alone is read in order.
  const isScan = (line: string): boolean => line.startsWith('SCAN ') && line !== 'SCAN campaigns USING INDEX campaigns_open';

  it.each(Object.entries(statements))('never goes through a whole table, and sorts nothing: %s (P21)', (_name, statement) => {
    expect(planOf(statement).filter((line) => isScan(line) || line.includes('TEMP B-TREE'))).toEqual([]);
  });
});
