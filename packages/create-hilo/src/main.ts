#!/usr/bin/env node
// `npm create hilo DIR` is `hilo init DIR`.
import { runProgram } from '@hilo/cli';

process.exitCode = (await runProgram(['init', ...process.argv.slice(2)])) ?? process.exitCode;
