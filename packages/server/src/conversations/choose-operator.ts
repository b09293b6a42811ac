import { type Chosen, chooseOperator as choose, type Wanted } from '@hilo/nodes/effects';
import type { Runner } from '@hilo/stores';
import { isHere, operators as operatorTable, teams as teamTable } from '../platform/tables/conversations.ts';
import { attendedNow } from './sql.ts';

/** Chooses the operator of a conversation among those of the company as they are now; see `chooseOperator` of `@hilo/nodes`. */
export async function chooseOperator(runner: Pick<Runner, 'read'>, companyId: string, { operatorId, teamId }: Wanted): Promise<Chosen> {
  const operators = (await runner.read(operatorTable.all(companyId))).filter(isHere).map(({ id, teamIds }) => ({ id, teams: teamIds }));
  const teams = new Map((await runner.read(teamTable.all(companyId))).map(({ id, name }) => [id, name]));
  const attended = operatorId === undefined ? await runner.read(attendedNow({ companyId })) : [];
  const busy = new Map(attended.map(({ operatorId: id, number }) => [id, number]));
  return choose({ operators, teams, load: (id) => busy.get(id) ?? 0 }, { operatorId, teamId });
}
