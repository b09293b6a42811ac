import { describe, expect, it } from 'vitest';
import { createSandbox, sandboxLimits, type SandboxRun } from './sandbox.ts';

const sandbox = createSandbox();
const run = (source: string, changes: Partial<SandboxRun> = {}) =>
  sandbox({ source, input: '{}', nowMs: 1_900_000_000_000, seed: 7, timeoutMs: 60_000, memoryMb: 16, ...changes });

/** The platform that a sandbox needs: only WebAssembly, so that it runs in a browser and in a process of the service. */
describe('createSandbox', () => {
  it('computes with its input, the same for the same instant and seed', async () => {
    const answer = await run('return [input.n * 2, Date.now(), Math.random()]', { input: '{"n":4}' });
    expect(answer.kind === 'returned' ? answer.text : answer.message).toMatch(/^\[8,1900000000000,0\.\d+\]$/);
    expect(await run('return [input.n * 2, Date.now(), Math.random()]', { input: '{"n":4}' })).toEqual(answer);
  });

  it('leaves nothing of a run for the next', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 1; return null');
    expect(await run('return [typeof globalThis.left, typeof [].left]')).toEqual({ kind: 'returned', text: '["undefined","undefined"]' });
  });

  it('answers with a reason for a loop without end', async () => {
    expect(await run('for (;;);', { timeoutMs: 200 })).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  it.each([
    ['what is thrown, with its line', 'const a = 1;\nthrow new Error("no")', { reason: 'broken', message: 'Error: no', line: 2 }],
    ['more memory than it has', 'const all = []; for (;;) all.push("x".repeat(1e6) + all.length)', { reason: 'memory' }],
    ['what is no JSON', 'return () => 1', { reason: 'result' }],
  ])('answers with a reason for %s', async (_what, source, expected) => {
    expect(await run(source)).toMatchObject({ kind: 'failed', ...expected });
  });

  it.each([0, 1])('accepts a result up to its limit in bytes, and refuses %i more', async (more) => {
    const source = `return 'é'.repeat(${sandboxLimits.resultBytes / 2 - 1}) + '${'x'.repeat(more)}'`; // two quotes are around it
    expect((await run(source)).kind).toBe(more === 0 ? 'returned' : 'failed');
  });
});
