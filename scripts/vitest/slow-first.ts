import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts files that take long before short ones, so that no processor is idle at the end of a run. Vitest starts the largest file first
 * when it remembers no earlier run, and the files that start processes, browsers and databases are among the smallest.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((left, right) => rankFile(left.moduleId) - rankFile(right.moduleId));
  }
}

/** Begin with what takes longest: campaigns, real processes and browsers, then whole services and databases, then units. */
const ranks: readonly RegExp[] = [
  /\/(?:process|browser|crash|races|cluster|durability)\/|\/packages\/restate\/|\.campaign\.test\.ts$|\/up\.test\.ts$/,
  /\/packages\/(?:server|stores|drivers|cli)\/test\/|\/tests\//,
];

const rankFile = (path: string): number => {
  const rank = ranks.findIndex((pattern) => pattern.test(path));
  return rank === -1 ? ranks.length : rank;
};
