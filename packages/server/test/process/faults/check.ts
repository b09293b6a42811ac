import type { Execution } from '../caller.ts';
import type { Deed, Promised } from './world.ts';

/**
 * Whatever breaks a promise: lost, twice, under two keys, two winners, out of order. Nothing, when all is well.
 *
 * @param aside - users of whom something was set aside, since it was at work at several deaths (P17): what came later did not wait for it
 */
export function check(
  { orders, texts, odd }: Promised,
  deeds: readonly Deed[],
  executions: readonly Execution[],
  aside: ReadonlySet<string | null> = new Set(),
): readonly string[] {
  const known = new Map(executions.map((one) => [one.executionId, one]));
  const deedsOf = Map.groupBy(deeds, ({ step, of, what }) => (step === 'heard' ? `heard ${of} ${what}` : `${step} ${of}`));
  const findings = odd.map((answer) => `odd: a caller was answered ${answer}`);
  const need = (name: string): void => {
    if (!deedsOf.has(name)) findings.push(`lost: nothing came of "${name}"`);
  };

  for (const { number, executionId = '', taken, ignored } of orders) {
    const { status } = known.get(executionId) ?? { status: 'not there' };
    if (status !== 'completed') findings.push(`lost: ${number} is ${status}`);
    need(`placed ${number}`);
    need(`paid ${executionId}`);
    if (taken.length !== 1 || ignored.length !== 1)
      findings.push(`winner: of ${number} were taken ${taken.join()}, ignored ${ignored.join()}`);
    for (const { what } of deedsOf.get(`paid ${executionId}`) ?? [])
      if (what !== taken[0]) findings.push(`winner: of ${number} was done ${what}, and ${taken.join()} was told to have won`);
  }
  for (const [user, said] of texts) {
    for (const one of said) need(`heard ${user} ${one}`);
    const heard = [...new Set(deeds.filter(({ step, of }) => step === 'heard' && of === user).map(({ what }) => what))];
    const wrong = heard.findIndex((one, index) => one !== said[index]);
    if (wrong >= 0 && !aside.has(user)) findings.push(`order: ${user} was heard ${heard[wrong]} where ${said[wrong]} was said`);
  }
  for (const [name, done] of deedsOf) {
    const keys = new Set(done.map(({ key }) => key));
    if (keys.size > 1) findings.push(`twice: "${name}" was done under ${keys.size} keys`);
  }
  const accepted = orders.length + [...texts.values()].reduce((sum, said) => sum + said.length, 0);
  if (executions.length !== accepted) findings.push(`twice: ${accepted} things began ${executions.length} executions`);
  return findings;
}
