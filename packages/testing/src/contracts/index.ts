export { describeCanvasStore } from './canvas-store.ts';
export { describeExecutionStore } from './execution-store.ts';
export type { Open, Opened } from './opened-store.ts';
