// The list of all tables.
import { audit } from './audit.ts';
import { campaigns, recipients } from './campaigns.ts';
import { apiKeys, bots, clients, companies, credentials, importedWorkflows, people, secrets } from './companies.ts';
import { groupMembers } from './contacts.ts';
import { conversationReads, conversations, operatorGroups, operators, operatorTexts, rooms, roomTags, teams } from './conversations.ts';
import { eventDeliveries, eventSubscriptions } from './events.ts';
import { erasedExecutions, historyObjects } from './erasure.ts';
import { chatFiles, fileParts, files } from './files.ts';
import { functions, runtimeTokens } from './functions.ts';
import { jobs } from './jobs.ts';
import { messages, outbox } from './messages.ts';
import { numbers } from './numbers.ts';
import { paymentEvents, payments, paymentTests } from './payments.ts';
import { segments } from './segments.ts';
import { scheduledStarts, schedules } from './schedules.ts';
import { messageOutcomes, providerMessages, providerUsers, sendKeys, sendPaces } from './sending.ts';
import { tags } from './tags.ts';
import { templates } from './templates.ts';
import {
  archivedWorkflows,
  authorsHere,
  draftRevisions,
  prunedExecutions,
  transcripts,
  versionNotes,
  workflowComments,
  workflowFolders,
  workflowLocks,
} from './workflows.ts';

/** Every table that is a value: the suites of all tables run over these, and a new table is one line here. */
export const tables = [
  companies,
  clients,
  apiKeys,
  bots,
  secrets,
  credentials,
  people,
  importedWorkflows,
  templates,
  teams,
  operators,
  tags,
  functions,
  runtimeTokens,
  rooms,
  roomTags,
  conversations,
  conversationReads,
  campaigns,
  recipients,
  groupMembers,
  segments,
  jobs,
  eventSubscriptions,
  erasedExecutions,
  historyObjects,
  schedules,
  scheduledStarts,
  numbers,
  files,
  fileParts,
  messageOutcomes,
  sendKeys,
  sendPaces,
  providerMessages,
  providerUsers,
  paymentEvents,
  paymentTests,
  messages,
  outbox,
  chatFiles,
  eventDeliveries,
  operatorGroups,
  operatorTexts,
  payments,
  draftRevisions,
  transcripts,
  versionNotes,
  archivedWorkflows,
  workflowFolders,
  workflowLocks,
  workflowComments,
  authorsHere,
  prunedExecutions,
  audit,
] as const;
