import { buildResource } from '../platform/define-resource.ts';
import { conversationRoutes } from './admin-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { reportConversations } from './routes.ts';

/** Conversations between users and operators, and the inbox. */
export const conversationResource = buildResource({ name: 'conversations', routes: [...conversationRoutes, ...inboxRoutes] });

/** Conversations of a span of time, for clients. */
export const conversationReportResource = buildResource({ name: 'reports', routes: [reportConversations] });
