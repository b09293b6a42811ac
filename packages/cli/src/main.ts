#!/usr/bin/env node
// Starts the `hilo` command. Everything imported before the version check must run on old Node.js, so that it can name the required version.
const refusal = await import('@hilo/engine/require-node').then(
  () => undefined,
  (error: unknown) => String(error instanceof Error ? error.message : error),
);

if (refusal === undefined) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(); // halves the time of later imports from the second start on
  const { endWithOutput } = await import('./output.ts');
  endWithOutput();
  const { endOnInterrupt } = await import('./interrupt.ts');
  endOnInterrupt();
  const { runProgram } = await import('./program.ts');
  process.exitCode = (await runProgram()) ?? process.exitCode;
} else {
  console.error(`hilo: ${refusal}`);
  process.exitCode = 2;
}

export {};
