import { createInterface } from 'node:readline';

/**
 * The program of the process that kills others when their parent has ended, for any reason: a child in a loop does not notice it itself. A
 * line `+123` names a process, and `-123` one that has ended; the end of the input is the end of the parent.
 */
const watched = new Set<number>();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const pid = Number(line.slice(1));
    if (line.startsWith('+')) watched.add(pid);
    else watched.delete(pid);
  })
  .on('close', () => {
    for (const pid of watched) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  });

// These signals are meant for the guarded process: there is work here until that has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
