import { buildResource } from '../platform/define-resource.ts';
import { listBotMessages } from './admin-routes.ts';
import { sendRoutes } from './routes.ts';

/** Messages to users, and what became of them. */
export const messageResource = buildResource({ name: 'messages', routes: [listBotMessages, ...sendRoutes] });
