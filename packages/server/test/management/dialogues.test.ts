import { readFileSync } from 'node:fs';
import type { JsonObject } from '@hilo/engine/contract';
import { replayTalk } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { fakeManagement } from './fake-management.ts';

const example = JSON.parse(
  readFileSync(new URL('../../../engine/test/problem-examples/UNWRITTEN_VARIABLE.json', import.meta.url), 'utf8'),
) as JsonObject;

/** What an answer has of a problem with its conversation. */
interface Shown {
  readonly code: string;
  readonly nodeId?: string;
  readonly dialogue?: { readonly script: string; readonly transcript: string } | null;
}

/** The problems of an answer. */
const problemsOf = (body: unknown): readonly Shown[] => (body as { readonly problems: readonly Shown[] }).problems;

describe('a check with dialogues', () => {
  it('shows an error that has a way as a conversation, which visits its node', async () => {
    await using management = await fakeManagement();
    const { status, body } = await management.ask('POST', '/validate?companyId=1&dialogues=true', example);
    expect(status).toBe(200);
    const [problem] = problemsOf(body).filter(({ code }) => code === 'UNWRITTEN_VARIABLE');
    const { dialogue, nodeId = '' } = problem ?? {};
    if (dialogue === undefined || dialogue === null) throw new Error(`There is no conversation: ${JSON.stringify(body)}`);
    const talk = await replayTalk([example], dialogue.script, { runsUnchecked: true });
    expect((await talk.executions()).some(({ state }) => (state.visits[nodeId] ?? 0) > 0)).toBe(true);
    expect(talk.transcript().trimEnd()).toBe(dialogue.transcript.trimEnd());
  });

  it('has none where none was asked for, and none for a problem without a way', async () => {
    await using management = await fakeManagement();
    const asked = problemsOf((await management.ask('POST', '/validate?companyId=1', example)).body);
    for (const problem of asked) expect(problem).not.toHaveProperty('dialogue');
    const misshapen = problemsOf((await management.ask('POST', '/validate?companyId=1&dialogues=true', { nodes: 7 })).body);
    expect(misshapen.length).toBeGreaterThan(0);
    for (const problem of misshapen) expect(problem).not.toHaveProperty('dialogue');
    expect(await management.ask('POST', '/validate?companyId=1&dialogues=maybe', example)).toMatchObject({ status: 422 });
  });
});
