import { readdirSync, readFileSync } from 'node:fs';

/** What Linux says of a process. */
export interface ProcessStatus {
  readonly parent: number;
  readonly arguments: string;
  /** `T` for one that stands still. */
  readonly state: string;
  /** From -20, before all others, to 19, behind them. */
  readonly nice: number;
}

/** `undefined` once it is gone, though nobody has asked how it ended. */
export function statusOf(pid: number): ProcessStatus | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { state, parent: Number(parent), nice: Number(others[14]), arguments: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined;
  }
}

/** The processes of this program that a process has started. */
export const childrenOf = (pid: number, name: string): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((candidate) => {
      const status = statusOf(candidate);
      return status?.parent === pid && status.arguments.includes(name);
    });
