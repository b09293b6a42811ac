import { buildResource } from '../platform/define-resource.ts';
import { scheduleRoutes } from './routes.ts';
import { audienceJob, dueStartsJob } from './schedules.ts';

/** Starts at an instant or again and again. */
export const scheduleResource = buildResource({ name: 'schedules', routes: [...scheduleRoutes], jobs: [dueStartsJob, audienceJob] });
