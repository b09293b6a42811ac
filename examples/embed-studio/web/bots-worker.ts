// The studio's worker: checks, layouts and tests, with the host's own node among the standard ones.
import { standardNodes } from '@hilo/nodes';
import { serveStudioWorker } from '@hilo/studio/worker';
import { scoreLead } from '../../own-node/score-lead.ts';

serveStudioWorker(self, [...standardNodes, scoreLead]);
