import { readFile } from 'node:fs/promises';

/** What a process holds in memory, in MB; `undefined` where the system does not say. */
export async function residentMb(pid: number): Promise<number | undefined> {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined; // another system, or the process has ended
  }
}
