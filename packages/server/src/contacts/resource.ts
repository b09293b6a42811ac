import { buildResource } from '../platform/define-resource.ts';
import { contactRoutes } from './contact-routes.ts';
import { eraseJob } from './erasure/erase-job.ts';
import { erasureRoutes } from './erasure/routes.ts';
import { roomRoutes } from './routes.ts';

/** The people whom bots talk with, their fields and consents. */
export const contactResource = buildResource({ name: 'contacts', routes: [...contactRoutes] });

/** What is kept of a person: a copy of it, and its erasure. */
export const erasureResource = buildResource({ name: 'erasure', routes: [...erasureRoutes], jobs: [eraseJob] });

/** The room of a user, and who answers there, for clients. */
export const roomResource = buildResource({ name: 'rooms', routes: [...roomRoutes] });
