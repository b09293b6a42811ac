/**
 * The official conformance suite of the Model Context Protocol against what speaks it here: the tools of functions, the authoring server
 * and the client of agents. It knows neither tokens nor keys: a relay on loopback adds them, and passes `Host` and `Origin` on as they came.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acmeKey, adminToken, functionsStage, type FunctionsStage } from '../functions/functions-stage.ts';

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const client = fileURLToPath(new URL('client-program.ts', import.meta.url));

/** A function with those tools of the suite that answer with a value, or fail. */
const source = `export default (given, { tool }) => {
  if (tool === 'test_error_handling') throw new Error('This tool intentionally returns an error for testing');
  return 'This is a simple text response for testing.';
};`;
const ofAddress = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } };
const tools = [
  { name: 'test_simple_text', description: 'Says a text', inputSchema: {} },
  { name: 'test_error_handling', description: 'Fails', inputSchema: {} },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Takes an address',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: ofAddress },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  },
];

/** What the suite tests and these do not have, with the reason: the suite fails where one of them passes. */
const ofNoServer = {
  'an answer is one message: no call reports progress or logs': [
    'logging-set-level',
    'tools-call-with-logging',
    'tools-call-with-progress',
  ],
  'no call samples, or asks the user': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'no session is kept': ['server-sse-polling', 'server-sse-multiple-streams'],
  'a tool answers with a value': ['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
  'nothing is completed': ['completion-complete'],
  'the suite reads resources of its own demonstration': ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  'no resource tells of its changes': ['resources-subscribe', 'resources-unsubscribe'],
  'the suite gets prompts of its own demonstration': [
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
};
const ofFunctions = { ...ofNoServer, 'a function has tools alone': ['resources-list', 'prompts-list'] };
const ofAuthoring = {
  ...ofNoServer,
  'the suite calls tools of its own demonstration': ['tools-call-simple-text', 'tools-call-error', 'json-schema-2020-12'],
};

let stage: FunctionsStage;
let folder: string;
beforeAll(async () => {
  stage = await functionsStage({ demonstration: source }, [], tools);
  folder = mkdtempSync(join(tmpdir(), 'hilo-conformance-'));
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Passes requests on to the service, with a credential. */
async function startRelay(path: string, headers: { readonly [name: string]: string }) {
  const { port } = new URL(stage.url);
  const server = createServer((incoming, outgoing) => {
    const passed = { ...incoming.headers, ...headers };
    const onward = request({ host: '127.0.0.1', port, path, method: incoming.method, headers: passed, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${own}/mcp`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Runs the suite, which ends with 0 where exactly the scenarios of `expected` fail, and gives what it says in the end. */
async function runSuite(args: readonly string[], expected: { readonly [reason: string]: readonly string[] } = {}) {
  const [side = ''] = args;
  const file = join(folder, `${side}.yaml`);
  writeFileSync(file, JSON.stringify({ [side]: Object.values(expected).flat() }));
  const child = spawn(process.execPath, [suite, ...args, '--expected-failures', file], { cwd: folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, said: said.slice(Math.max(0, said.indexOf('=== SUMMARY'))) };
}

describe('the official conformance suite', { timeout: 300_000 }, () => {
  it('finds nothing in the tools of a function', async () => {
    await using relay = await startRelay('/functions/demonstration/mcp', acmeKey);
    const { code, said } = await runSuite(['server', '--url', relay.url, '--suite', 'all'], ofFunctions);
    expect({ code, said }).toMatchObject({ code: 0 });
    for (const one of ['dns-rebinding-protection: 2 passed', 'json-schema-2020-12: 4 passed']) expect(said).toContain(one);
  });

  it('finds nothing in the authoring server', async () => {
    await using relay = await startRelay('/admin/v1/mcp?companyId=1', { authorization: `Bearer ${adminToken}` });
    const { code, said } = await runSuite(['server', '--url', relay.url, '--suite', 'all'], ofAuthoring);
    expect({ code, said }).toMatchObject({ code: 0 });
    for (const one of ['dns-rebinding-protection: 2 passed', 'prompts-list: 1 passed']) expect(said).toContain(one);
  });

  // No more of it: agents take the credential of a company and ask no authorization server (`auth/*`), nobody is asked in the middle of a
  // call (`elicitation-*`), and a call whose stream ends has an unknown outcome, since it is made once (`sse-retry`).
  it.each(['initialize', 'tools_call'])('finds nothing in the client of agents: %s', async (scenario) => {
    const { code, said } = await runSuite(['client', '--command', `${process.execPath} ${client}`, '--scenario', scenario]);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain('Passed: 1/1');
  });
});
