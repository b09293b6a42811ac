import { read } from '@hilo/stores';
import type { Chosen, Wanted } from './choose-operator.ts';
import { invalidFields, notFound, type Refusal } from '../platform/http/refusal.ts';
import type { ListedConversation } from './conversation-view.ts';

/** Only an active conversation can be changed (CON-17). */
export const notActive = ({ id }: ListedConversation, what: string): Refusal =>
  invalidFields({ state: [`conversation "${read(id)}" has ended: only one that is active can be ${what}`] });

/** Nor has one a message without its operator. */
export const notAttended = ({ id, state }: ListedConversation, what: string): Refusal =>
  state === 'active'
    ? invalidFields({ operatorId: [`nobody attends conversation "${read(id)}": assign it first`] })
    : invalidFields({ state: [`conversation "${read(id)}" has ended: only one that is active ${what}`] });

/** Nobody can attend, or not who was asked for. */
export function unwanted(kind: Exclude<Chosen['kind'], 'chosen'>, { operatorId, teamId }: Wanted): Refusal {
  switch (kind) {
    case 'unknown-operator':
      return notFound('OPERATOR_NOT_FOUND', `There is no operator ${operatorId ?? ''}`);
    case 'unknown-team':
      return notFound('TEAM_NOT_FOUND', `There is no team ${teamId ?? ''}`);
    case 'of-another-team':
      return invalidFields({ operatorId: [`operator ${operatorId ?? ''} is not in team ${teamId ?? ''}`] });
    case 'nobody':
      return invalidFields({ teamId: ['there is no operator who could attend'] });
  }
}
