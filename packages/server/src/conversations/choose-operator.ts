import { type Chosen, chooseOperator as choose, type Wanted } from '@hilo/nodes/effects';
import { asCondition, type Call, type Runner } from '@hilo/stores';
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

/** Gives a row for an operator who has not left, and stays until the end of the transaction: the removal waits, and then sees what they got. */
const keepOperator = operatorTable.change({ id: operatorTable.columns.id }, (rows, { id }) =>
  rows
    .set(({ ref }) => ({ names: ref('names') }))
    .where('id', '=', id)
    .where('left_at_ms', 'is', null),
);

/** The condition of whatever gives an operator a conversation: they were read before it. */
export const operatorStays = ({ companyId, operatorId }: { readonly companyId: string; readonly operatorId: number }): Call =>
  asCondition(keepOperator({ companyId, id: operatorId }));

type One = Extract<Chosen, { readonly kind: 'chosen' }>;

/**
 * Chooses an operator, and another one where that one was removed in between.
 *
 * @param give - gives them the conversation under the condition that they stay; false where nothing was given
 * @returns `ended` where the conversation is not to be given any more, or why there is nobody
 */
export async function giveToOperator(
  runner: Pick<Runner, 'read' | 'readOne'>,
  companyId: string,
  wanted: Wanted,
  give: (chosen: One) => Promise<boolean>,
): Promise<Exclude<Chosen, One> | { readonly kind: 'given' } | { readonly kind: 'ended' }> {
  for (;;) {
    const chosen = await chooseOperator(runner, companyId, wanted);
    if (chosen.kind !== 'chosen') return chosen;
    if (await give(chosen)) return { kind: 'given' };
    const operator = await runner.readOne(operatorTable.find({ companyId, id: chosen.operatorId }));
    if (operator !== undefined && isHere(operator)) return { kind: 'ended' };
  }
}
