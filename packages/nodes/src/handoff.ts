// The node `handoff`.
import {
  defineNode,
  durationMs,
  fail,
  finish,
  formatPath,
  handoffEnd,
  isJsonObject,
  type Json,
  leave,
  perform,
  TimedDuration,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { openHandoff } from './effects/open-handoff.ts';

/**
 * Hands the user over to an operator. `park` waits for the end of their conversation and continues; `end` leaves the user with
 * the operator, and the execution is done.
 */
export const handoff = defineNode({
  type: 'handoff',
  config: z.strictObject({
    mode: z
      .enum(['end', 'park'])
      .default('park')
      .meta({ description: 'Whether the flow waits until the operator is done (park), or ends here (end)' }),
    teamId: z.int().positive().optional().meta({ description: 'The team whose operators may take the user' }),
    operatorId: z.int().positive().optional().meta({ description: 'The operator who takes the user' }),
    timeout: TimedDuration.prefault('PT24H').meta({
      description: 'The time without a message, of the user or of the operator, after which the conversation expires',
    }),
    saveAs: VariablePath.optional().meta({
      description: 'Where it is kept how it ended: conversationId, state, endedReason and operatorId',
    }),
  }),
  visual: {
    label: 'Hand-off',
    category: 'people',
    icon: 'headset',
    colour: '#ea580c',
    description: 'Hands the user over to an operator, and waits until the operator is done or ends the flow.',
    summary: ({ mode, teamId, operatorId }) =>
      [operatorId === undefined ? '' : `operator ${operatorId}`, teamId === undefined ? '' : `team ${teamId}`, mode ?? '']
        .filter((text) => text !== '')
        .join(' · '),
    formHints: { timeout: 'duration', saveAs: 'variable' },
  },
  facts: { needs: 'operators', limits: 'a timeout of PT24H if unset' },
  ports: [],
  optionalPorts: ['closed', 'expired', 'noAgent', 'error'],
  supports: { kinds: ['skill'] },
  references: ({ teamId, operatorId }) => [
    ...(teamId === undefined ? [] : [{ kind: 'team', id: String(teamId), at: ['teamId'] } as const]),
    ...(operatorId === undefined ? [] : [{ kind: 'operator', id: String(operatorId), at: ['operatorId'] } as const]),
  ],
  effects: [openHandoff],
  run({ config: { mode, teamId, operatorId, timeout, saveAs }, variables }) {
    const idleMs = durationMs(timeout, variables);
    const wanted = { ...(teamId !== undefined && { teamId }), ...(operatorId !== undefined && { operatorId }) };
    return perform(openHandoff({ ...wanted, idleMs, waits: mode === 'park' }), (opened) => {
      if (opened.kind === 'refused') return fail(opened.cause, opened.message);
      if (opened.kind === 'noAgent')
        return leave('noAgent', [], { failure: { cause: 'NO_AGENT', message: 'There is no operator who could attend the user' } });
      if (mode === 'end') return finish('done');
      return perform(handoffEnd({ key: opened.key }), (ended) => {
        const state = ended.kind === 'timeout' ? 'expired' : readState(ended.payload);
        if (state === undefined) return fail('HANDOFF_UNKNOWN', 'The end of the conversation was reported with an unknown state');
        const writes = saveAs === undefined || ended.kind === 'timeout' ? [] : [{ path: saveAs, value: ended.payload }];
        if (state !== 'expired') return leave('closed', writes);
        return leave('expired', writes, {
          failure: { cause: 'EXPIRED', message: `No message was written in the conversation for ${idleMs} ms` },
        });
      });
    });
  },
  heardBefore: ({ mode }) => (mode === 'park' ? ['closed'] : []),
  waitFields: { timeout: ['expired'] },
  writingFields: ['saveAs'],
  waitsBefore: ({ mode }) => (mode === 'park' ? ['closed', 'expired'] : []),
  writes: ({ saveAs }) => (saveAs === undefined ? {} : { closed: [formatPath(saveAs)], expired: [formatPath(saveAs)] }),
});

/** How a conversation can end (CON-17). */
const states = ['closed', 'resolved', 'expired'] as const;

const readState = (payload: Json): (typeof states)[number] | undefined => {
  const state = isJsonObject(payload) ? payload['state'] : undefined;
  return states.find((known) => known === state);
};
