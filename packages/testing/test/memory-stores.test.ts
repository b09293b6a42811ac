import { createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { describeCanvasStore, describeExecutionStore } from '../src/contracts/index.ts';

describeExecutionStore('the memory store', async () => ({ store: createMemoryStore(), close: async () => {} }));
describeCanvasStore('the memory store of canvases', async () => ({ store: createMemoryCanvases(), close: async () => {} }));
