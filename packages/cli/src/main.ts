#!/usr/bin/env node
// Everything imported before the version check must run on old Node.js, so that it can name the required version.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly engines: { readonly node: string };
};
const [, wanted = '0.0'] = /^>=(\d+\.\d+)/.exec(manifest.engines.node) ?? [];

/** Versions as numbers that compare: 26.1 is older than 26.10. */
const parseVersion = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1_000 + minor;
};

if (parseVersion(process.versions.node) < parseVersion(wanted)) {
  console.error(
    `hilo: This is Node.js ${process.versions.node}, and hilo needs ${wanted} or newer: older ones cannot keep functions from the network, and some cut stored texts.`,
  );
  process.exitCode = 2;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(); // halves the time of later imports from the second start on
  const { endWithOutput } = await import('./output.ts');
  endWithOutput();
  const { runProgram } = await import('./program.ts');
  process.exitCode = (await runProgram()) ?? process.exitCode;
}
