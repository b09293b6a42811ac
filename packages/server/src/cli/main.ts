#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

enableCompileCache(); // what is imported from here on takes half the time from the second start on

const { endWithOutput } = await import('./output.ts');
endWithOutput();
const { runProgram } = await import('./program.ts');
process.exitCode = (await runProgram()) ?? process.exitCode;
