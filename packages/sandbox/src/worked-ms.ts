/** What this thread has worked, in milliseconds; where the platform does not count that, the time that passes. */
export const workedMs = (): number => {
  const used = typeof process === 'undefined' ? undefined : process.threadCpuUsage?.();
  return used === undefined ? performance.now() : (used.user + used.system) / 1_000;
};

/** What Node.js and browsers have; this package is compiled without the types of either. */
declare const process: { threadCpuUsage?(): { readonly user: number; readonly system: number } };
declare const performance: { now(): number };
