import { call, type Runner } from '@hilo/stores';
import { collections } from '../platform/database/collections.ts';
import { attendedNow } from './sql.ts';

/** The operator that a conversation asks for: one, any member of a team, or any at all. */
export interface Wanted {
  readonly operatorId?: number | undefined;
  readonly teamId?: number | undefined;
}

/** The operator of a conversation, as its columns hold them. */
export interface Attendance {
  readonly operatorId: number;
  readonly teamName: string | null;
}

/** The choice of an operator, or why there is none. */
export type Chosen =
  | ({ readonly kind: 'chosen' } & Attendance)
  | { readonly kind: 'unknown-operator' }
  | { readonly kind: 'unknown-team' }
  /** The operator is not in the team. */
  | { readonly kind: 'of-another-team' }
  /** No operator is available. */
  | { readonly kind: 'no-operator' };

/** Chooses the operator: of several, the one with the fewest active conversations, then the lowest id. */
export async function chooseOperator(runner: Pick<Runner, 'read'>, companyId: string, { operatorId, teamId }: Wanted): Promise<Chosen> {
  const operators = (await runner.read(collections.operators.rows(companyId))).map(({ id, team_ids }) => ({
    id,
    teams: JSON.parse(team_ids) as readonly number[],
  }));
  const teams = new Map((await runner.read(collections.teams.rows(companyId))).map(({ id, name }) => [id, name]));
  if (teamId !== undefined && !teams.has(teamId)) return { kind: 'unknown-team' };
  const findTeamName = (team: number | undefined): string | null => teams.get(team ?? 0) ?? null;
  if (operatorId !== undefined) {
    const operator = operators.find(({ id }) => id === operatorId);
    if (operator === undefined) return { kind: 'unknown-operator' };
    if (teamId !== undefined && !operator.teams.includes(teamId)) return { kind: 'of-another-team' };
    return { kind: 'chosen', operatorId, teamName: findTeamName(teamId ?? operator.teams[0]) };
  }
  const busy = new Map(
    (await runner.read(call(attendedNow, { companyId }))).map(({ operator_id, number }) => [operator_id, Number(number)]),
  );
  const load = (id: number): number => busy.get(id) ?? 0;
  const [first] = operators
    .filter(({ teams }) => teamId === undefined || teams.includes(teamId))
    .toSorted((left, right) => load(left.id) - load(right.id) || left.id - right.id);
  return first === undefined
    ? { kind: 'no-operator' }
    : { kind: 'chosen', operatorId: first.id, teamName: findTeamName(teamId ?? first.teams[0]) };
}
