// A thread that works on canvases, in a process that has nothing else to do: it is waited for where it ends.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Ends a thread at a point of its work, and waits for that. @param point - statements that come before its end */
const program = (point: string): string => `
  import { systemClock } from '@hilo/engine/node';
  import { startCanvasThread } from './src/platform/canvas-work/start-thread.ts';
  const limits = { startMs: 60_000, taskMs: 60_000, heapMb: 100 };
  const thread = startCanvasThread({ program: 'canvas-thread', clock: systemClock, types: [], limits });
  const task = { kind: 'nothing that it knows' };
  ${point}
  thread.kill();
  await thread.ended;
  console.log('over');
`;

describe('a thread that works on canvases', () => {
  it.each([
    ['before it is ready', ''],
    ['while it rests', 'await thread.ready; await thread.run(task);'],
    ['in the middle of a task', 'await thread.ready; const running = thread.run(task); await new Promise(setImmediate); void running;'],
    ['at the turn in which it gets one', 'await thread.ready; void thread.run(task);'],
  ])('is waited for where it ends %s', async (_when, point) => {
    const root = join(import.meta.dirname, '../../..');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(point)], { cwd: root });
    expect(stdout).toBe('over\n');
  });
});
