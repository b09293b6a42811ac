import { buildResource } from '../platform/define-resource.ts';
import { templateRoutes } from './manage-routes.ts';
import { sendTemplate } from './routes.ts';
import { syncTemplatesJob } from './templates.ts';

/** Templates, sent to one user; what providers say of them is asked for again and again. */
export const templateResource = buildResource({ name: 'templates', routes: [sendTemplate], jobs: [syncTemplatesJob] });

/** Templates as they are made, submitted and approved. */
export const templateApprovalResource = buildResource({ name: 'approvals', routes: [...templateRoutes] });
