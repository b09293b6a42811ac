import type { FaultKind } from './faults.ts';
import { type ClusterOptions, type ClusterReport, simulateCluster } from './simulate-cluster.ts';

/**
 * Looks for the smallest failing run: without faults, then without commands, then without users' answers, then with fewer processes, as
 * long as the same oracle reports something.
 *
 * @param failed - the report of a run with findings
 * @param options - the options of that run, besides its plan
 * @returns the report of the smallest run that was found; the same report when nothing can be left out
 */
export async function shrinkCluster(
  failed: ClusterReport,
  options: Pick<ClusterOptions, 'canvases' | 'nodes' | 'keepsTrace'> = {},
): Promise<ClusterReport> {
  const [finding] = failed.findings;
  if (finding === undefined) return failed;
  let smallest = failed;

  /** Takes the smaller run, when it goes wrong in the same way. */
  const attempt = async (change: ClusterOptions): Promise<boolean> => {
    const report = await simulateCluster({ ...options, ...smallest.plan, ...change });
    const isSame = report.findings.some(({ oracle }) => oracle === finding.oracle);
    if (isSame) smallest = report;
    return isSame;
  };

  for (let before: ClusterReport | undefined; before !== smallest; ) {
    before = smallest;
    for (const kind of Object.keys(smallest.plan.faults) as FaultKind[]) {
      const { [kind]: _removed, ...faults } = smallest.plan.faults;
      await attempt({ faults });
    }
    // From the last to the first: a command is seldom needed by those before it.
    for (let index = smallest.plan.commands.length - 1; index >= 0; index -= 1) {
      await attempt({ commands: smallest.plan.commands.toSpliced(index, 1) });
    }
    if (smallest.plan.answering > 0) await attempt({ answering: 0 });
    if (smallest.plan.processes > 1 && smallest.plan.mode !== 'two-process') await attempt({ processes: smallest.plan.processes - 1 });
  }
  return smallest;
}
