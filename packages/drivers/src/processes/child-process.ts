import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';

/** Suspends a process: it gets no processor until it is resumed. @returns false on a system that cannot do that */
export const suspend = (child: ChildProcess): boolean => signal(child, 'SIGSTOP');
export const resume = (child: ChildProcess): boolean => signal(child, 'SIGCONT');

function signal(child: ChildProcess, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return child.kill(name);
  } catch {
    return false;
  }
}

/**
 * Lowers the priority of a process: below this one, or below all. Does nothing for one that has ended, or on a system without priorities.
 */
export function lowerPriority({ pid }: ChildProcess, to: 'host' | 'all'): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  try {
    if (pid !== undefined) setPriority(pid, to === 'host' ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW);
  } catch {
    // It runs as it would have.
  }
}

/** The resources that a process has used. */
export interface ProcessUsage {
  /** In memory now, in MB. */
  readonly residentMb: number;
  /** Processor time since it began, in milliseconds. */
  readonly processorMs: number;
}

/** Linux reports CPU time of processes in hundredths of a second, whatever the kernel's own tick is. */
const tickMs = 10;

/** `undefined` on a system that does not report it, or when the process has ended. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [status, stat] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')]);
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    // Behind the name of the program, which may hold anything: state, 10 other fields, then user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (kilobytes === undefined) return undefined;
    return { residentMb: Number(kilobytes) / 1024, processorMs: (Number(fields[11]) + Number(fields[12])) * tickMs };
  } catch {
    return undefined;
  }
}

interface Lines {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line was longer than that; nothing more is read. */
  readonly onExcess: () => void;
}

/** Reads a stream line by line, keeping at most one line of bounded length. */
export function readLines(stream: Readable, { maxBytes, onLine, onExcess }: Lines): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  stream.on('data', (data: Buffer) => {
    let from = 0;
    for (let at = data.indexOf(newline); at !== -1 && !isOver; at = data.indexOf(newline, from)) {
      add(data.subarray(from, at));
      from = at + 1;
      if (isOver) return;
      const line = Buffer.concat(chunks, bytes).toString('utf8');
      [chunks, bytes] = [[], 0];
      onLine(line);
    }
    if (!isOver) add(data.subarray(from));
  });

  function add(chunk: Buffer): void {
    bytes += chunk.byteLength;
    if (chunk.byteLength > 0) chunks.push(chunk);
    if (bytes <= maxBytes) return;
    isOver = true;
    chunks = [];
    onExcess();
  }
}

const newline = 0x0a;
