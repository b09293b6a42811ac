import { createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { describeRuntime, stageOverStore } from '../src/contracts/index.ts';

describeRuntime('an engine in memory', async () => stageOverStore({ executions: createMemoryStore(), canvases: createMemoryCanvases() }));
