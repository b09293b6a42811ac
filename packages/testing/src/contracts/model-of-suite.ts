// The model of the contract of runtimes: it answers at once, and always alike.
import type { BoundDriver } from '@hilo/engine/contract';
import { drive } from '@hilo/nodes';
import { askModel, callFunction, callMcpTool } from '@hilo/nodes/effects';

/** What an agent calls: a model that looks each question up says which one it found and leaves when there is none, and tools that nobody here has. */
export const driversOfAgents = (asked: string[]): readonly BoundDriver[] => [
  drive(callFunction, async () => ({ kind: 'failed', reason: 'not-found', message: 'There is none' })),
  drive(callMcpTool, async () => ({ kind: 'failed', reason: 'unknown-tool', message: 'There is none', tookMs: 0 })),
  drive(askModel, async ({ messages }, { idempotencyKey }) => {
    asked.push(idempotencyKey);
    const last = messages.at(-1);
    const said = messages.findLast(({ role }) => role === 'user');
    const question = said !== undefined && 'text' in said ? (/question \d+/.exec(said.text)?.[0] ?? '') : '';
    const usage = { inputTokens: 10, outputTokens: 5 };
    if (last?.role === 'tool') return { kind: 'answered', text: `Found ${question}`, finish: 'stop', usage, tookMs: 1 };
    const calls = [
      question === '' ? { id: 'c', tool: 'exit_done', input: '{}' } : { id: 'c', tool: 'look', input: JSON.stringify({ about: question }) },
    ];
    return { kind: 'answered', text: '', calls, finish: 'tools', usage, tookMs: 1 };
  }),
];
