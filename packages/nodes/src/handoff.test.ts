import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { handoff } from './handoff.ts';

const opened = { kind: 'opened', conversationId: 'conv_2', key: 'conv_1' };
const closed = {
  kind: 'received',
  payload: { conversationId: 'conv_2', state: 'closed', endedReason: 'closed_by_operator', operatorId: 10 },
};
const expired = { kind: 'received', payload: { conversationId: 'conv_2', state: 'expired', endedReason: 'expired', operatorId: 10 } };

describe('handoff', () => {
  it('requests an operator and waits for the end of the conversation by its key', () => {
    const visited = visit(handoff, { config: { teamId: 5, timeout: 'PT2H' }, results: [opened] });
    expect(visited.effects).toEqual([
      { type: 'handoff.open', request: { teamId: 5, idleMs: 7_200_000, waits: true } },
      { type: 'wait.handoff', request: { kind: 'handoff', key: 'conv_1' } },
    ]);
  });

  it('names the team and the operator it is for', () => {
    const references = (config: object) => handoff.references(handoff.config.parse(config));
    expect(references({})).toEqual([]);
    expect(references({ teamId: 5, operatorId: 10 })).toEqual([
      { kind: 'team', id: '5', at: ['teamId'] },
      { kind: 'operator', id: '10', at: ['operatorId'] },
    ]);
  });

  it('leaves by closed with how it ended, also for a resolved one (CON-17)', () => {
    const config = { saveAs: '$context.case' };
    expect(visit(handoff, { config, results: [opened, closed] })).toMatchObject({
      by: 'closed',
      writes: { '$context.case': closed.payload },
    });
    const resolved = { kind: 'received', payload: { ...closed.payload, state: 'resolved' } };
    expect(visit(handoff, { results: [opened, resolved] })).toMatchObject({ by: 'closed', writes: {} });
  });

  it('leaves by expired when the conversation was idle too long (P13)', () => {
    expect(visit(handoff, { results: [opened, expired] })).toMatchObject({ by: 'expired', failure: { cause: 'EXPIRED' } });
    expect(visit(handoff, { results: [opened, { kind: 'timeout', lateByMs: 0 }] }).by).toBe('expired');
  });

  it.each([null, 'closed', {}, { state: 'transferred' }, { state: 'done' }])('accepts no other payload: %j', (payload) => {
    expect(visit(handoff, { config: { saveAs: '$context.case' }, results: [opened, { kind: 'received', payload }] })).toMatchObject({
      by: 'error',
      writes: {},
      failure: { cause: 'HANDOFF_UNKNOWN' },
    });
  });

  it('leaves by noAgent without an operator, and by error with the cause of a refusal', () => {
    expect(visit(handoff, { results: [{ kind: 'noAgent' }] })).toMatchObject({ by: 'noAgent', failure: { cause: 'NO_AGENT' } });
    const refused = { kind: 'refused', cause: 'TEAM_NOT_FOUND', message: 'There is no team 9' };
    expect(visit(handoff, { config: { teamId: 9 }, results: [refused] })).toMatchObject({
      by: 'error',
      failure: { cause: 'TEAM_NOT_FOUND' },
    });
  });

  it('ends the execution under "end", and requests no signal', () => {
    const visited = visit(handoff, { config: { mode: 'end', operatorId: 10 }, results: [opened] });
    expect(visited.effects).toEqual([{ type: 'handoff.open', request: { operatorId: 10, idleMs: 86_400_000, waits: false } }]);
    expect(visited.outcome).toMatchObject({ kind: 'finish', outcome: 'done' });
  });

  it.each([[{ mode: 'stay' }], [{ teamId: 0 }], [{ operatorId: '10' }], [{ timeout: '24h' }], [{ team: 5 }]])(
    'refuses %j (GEN-07)',
    (config) => {
      expect(handoff.config.safeParse(config).success).toBe(false);
    },
  );

  it('shows the target on the canvas', () => {
    expect(handoff.visual.summary?.({ mode: 'end', teamId: 5 })).toBe('team 5 · end');
  });
});
