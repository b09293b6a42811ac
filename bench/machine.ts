import { availableParallelism, cpus, getPriority, loadavg } from 'node:os';

/** What the figures are measured on, in one line. */
export const machineText = `Node ${process.versions.node} · ${process.platform} ${process.arch} · ${availableParallelism()} CPUs, ${cpus()[0]?.model.trim() ?? 'unknown'}`;

/** The load of the last minute, in words: other processes slow all contestants down. */
export function loadText(): string {
  const priority = getPriority();
  return `load average ${(loadavg()[0] ?? 0).toFixed(1)} when it began${priority === 0 ? '' : `, at priority ${priority}`}`;
}
