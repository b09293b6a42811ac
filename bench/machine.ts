import { availableParallelism, cpus, getPriority, loadavg } from 'node:os';

/** What the figures are measured on, in one line. */
export const machineText = `Node ${process.versions.node} · ${process.platform} ${process.arch} · ${availableParallelism()} CPUs, ${cpus()[0]?.model.trim() ?? 'unknown'}`;

/** How many processes wanted the processors over the last minute, in words: others than the benchmark's slow all of it down. */
export function loadText(): string {
  const priority = getPriority();
  return `load average ${(loadavg()[0] ?? 0).toFixed(1)} when it began${priority === 0 ? '' : `, at priority ${priority}`}`;
}
