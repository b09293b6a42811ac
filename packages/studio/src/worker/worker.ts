// The worker of the studio.
import { serveStudioWorker } from './serve-worker.ts';

serveStudioWorker(self);
