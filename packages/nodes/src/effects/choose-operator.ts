// Which operator a hand-off finds: the one rule of the service and of simulations.
/** The operator that a conversation asks for: one, any member of a team, or any at all. */
export interface Wanted {
  readonly operatorId?: number | undefined;
  readonly teamId?: number | undefined;
}

/** The choice of an operator, or why there is none. `teamName` is null for an operator without a team. */
export type Chosen =
  | { readonly kind: 'chosen'; readonly operatorId: number; readonly teamName: string | null }
  | { readonly kind: 'unknown-operator' }
  | { readonly kind: 'unknown-team' }
  /** The operator is not in the team. */
  | { readonly kind: 'of-another-team' }
  /** No operator is available. */
  | { readonly kind: 'no-operator' };

/** Who answers the users of a company. */
interface People {
  /** The ids of each one's teams. */
  readonly operators: readonly { readonly id: number; readonly teams: readonly number[] }[];
  /** Names by id. */
  readonly teams: ReadonlyMap<number, string>;
  /** The number of active conversations of an operator, asked only where there is a choice. */
  readonly load: (operatorId: number) => number;
}

/** Chooses the operator: of several, the one with the fewest active conversations, then the lowest id. */
export function chooseOperator({ operators, teams, load }: People, { operatorId, teamId }: Wanted): Chosen {
  if (teamId !== undefined && !teams.has(teamId)) return { kind: 'unknown-team' };
  const findTeamName = (team: number | undefined): string | null => teams.get(team ?? 0) ?? null;
  if (operatorId !== undefined) {
    const operator = operators.find(({ id }) => id === operatorId);
    if (operator === undefined) return { kind: 'unknown-operator' };
    if (teamId !== undefined && !operator.teams.includes(teamId)) return { kind: 'of-another-team' };
    return { kind: 'chosen', operatorId, teamName: findTeamName(teamId ?? operator.teams[0]) };
  }
  const [first] = operators
    .filter((one) => teamId === undefined || one.teams.includes(teamId))
    .toSorted((left, right) => load(left.id) - load(right.id) || left.id - right.id);
  return first === undefined
    ? { kind: 'no-operator' }
    : { kind: 'chosen', operatorId: first.id, teamName: findTeamName(teamId ?? first.teams[0]) };
}

/** The result of `handoff.open` where no operator was chosen. */
export function refuseHandoff(
  kind: Exclude<Chosen['kind'], 'chosen'>,
  { operatorId, teamId }: Wanted,
): { readonly kind: 'noAgent' } | { readonly kind: 'refused'; readonly cause: string; readonly message: string } {
  switch (kind) {
    case 'unknown-team':
      return { kind: 'refused', cause: 'TEAM_NOT_FOUND', message: `There is no team ${teamId ?? ''}` };
    case 'unknown-operator':
      return { kind: 'refused', cause: 'OPERATOR_NOT_FOUND', message: `There is no operator ${operatorId ?? ''}` };
    case 'of-another-team':
      return { kind: 'refused', cause: 'OPERATOR_NOT_FOUND', message: `Operator ${operatorId ?? ''} is not in team ${teamId ?? ''}` };
    case 'no-operator':
      return { kind: 'noAgent' };
  }
}
