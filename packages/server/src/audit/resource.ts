import { buildResource } from '../platform/define-resource.ts';
import { listAudit } from './routes.ts';

/** Who changed what. */
export const auditResource = buildResource({ name: 'audit', routes: [listAudit] });
