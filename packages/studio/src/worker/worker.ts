import { serveStudioWorker, type WorkerPort } from './serve-worker.ts';

serveStudioWorker(self as unknown as WorkerPort);
