import { serveStudioWorker } from './serve-worker.ts';

serveStudioWorker(self);
