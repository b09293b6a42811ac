#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

enableCompileCache(); // what is imported from here on takes half the time from the second start on

// Whoever reads our output may stop at any time, as `head` does: that is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const { runProgram } = await import('./program.ts');
process.exitCode = (await runProgram()) ?? process.exitCode;
