// `hilo mcp` over standard input and output, as a client starts it: on a folder of canvases, and on a service that runs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWith, smallCanvas } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';
import { bundledCommand } from '../../../scripts/vitest/bundled-command.ts';
import { drawn } from '../../../scripts/vitest/part-of.ts';

const begin = { id: 'begin', type: 'start', data: { keywords: ['hello'] } };

/** A client of a process of its own, and what a tool of it answers. */
async function connect(args: readonly string[], cwd: string, isModern = false) {
  const client = new Client({ name: 'coder', version: '1.0.0' }, isModern ? { versionNegotiation: { mode: 'auto' } } : {});
  const command = [bundledCommand(), 'mcp', ...args];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: command, cwd, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  return async (name: string, input: object = {}): Promise<Record<string, unknown>> => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...input } });
    return { ...(structuredContent as object | undefined) };
  };
}

describe('hilo mcp', () => {
  it('writes what nobody sees as escapes of the same JSON', async () => {
    using folder = folderWith({ 'small.json': JSON.stringify(smallCanvas({ description: 'Greets\u200b\u{e0041}' })) });
    const process = spawn(execPath, [bundledCommand(), 'mcp'], { cwd: folder.path, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void process.kill());
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object): Promise<string> => {
      process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return String((await lines.next()).value);
    };
    await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'coder', version: '1' } });
    const answer = await ask(2, 'tools/call', { name: 'get_canvas', arguments: { workflowId: 'small' } });
    expect(answer).toContain(String.raw`"description":"Greets\u200b\udb40\udc41"`);
    expect(answer).not.toMatch(/\p{Default_Ignorable_Code_Point}/u);
  });

  it('goes on after a line that is no message, and tells of it on standard error', async () => {
    using folder = folderWith({ 'small.json': JSON.stringify(smallCanvas()) });
    const process = spawn(execPath, [bundledCommand(), 'mcp'], { cwd: folder.path, stdio: 'pipe' });
    onTestFinished(() => void process.kill());
    const [answers, faults] = [process.stdout, process.stderr].map((input) => createInterface({ input })[Symbol.asyncIterator]());
    const next = async (lines: typeof answers): Promise<string> => String((await lines?.next())?.value);
    const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
    const malformed = ['hello', ping(1).slice(0, -1), `${ping(1)}}`, '[]', `[${ping(1)}]`, 'null', '{}', ping(1).replace('2.0', '1.0')];
    for (const [index, line] of malformed.entries()) {
      process.stdin.write(`${line}\n${ping(index + 10)}\r\n`);
      expect([line, await next(faults)]).toEqual([line, expect.stringContaining('is no message of the protocol')]);
      expect(JSON.parse(await next(answers))).toEqual({ jsonrpc: '2.0', id: index + 10, result: {} });
    }
    process.stdin.write(`"${'x'.repeat(12_000_000)}"\n${ping(2)}\n`);
    expect(await next(faults)).toContain('more than 4194304 bytes, and is left out');
    expect(JSON.parse(await next(answers))).toMatchObject({ id: 2 });
    const code = new Promise((resolve) => process.once('exit', resolve));
    process.stdin.end();
    expect(await code).toBe(0);
  });

  it.each(drawn([false, true], 2))('works on the canvases of a folder (a client of the new generation: %s)', async (isModern) => {
    using folder = folderWith({ 'secret.txt': 'not a transcript' });
    mkdirSync(join(folder.path, 'canvases'));
    writeFileSync(join(folder.path, 'canvases/small.json'), JSON.stringify(smallCanvas()));
    const call = await connect([], folder.path, isModern);
    const id = 'small';
    expect(await call('list_workflows')).toMatchObject({ workflows: [{ workflowId: id, liveVersion: null, errors: 0 }] });
    const { canvas, revision } = await call('get_canvas', { workflowId: id });
    const renamed = { ...(canvas as object), name: 'Renamed' };
    const saved = await call('put_draft', { workflowId: id, canvas: renamed, ifRevision: revision });
    expect(saved['revision']).not.toBe(revision);
    expect(await call('put_draft', { workflowId: id, canvas: renamed, ifRevision: revision })).toMatchObject({ code: 'DRAFT_CHANGED' });
    expect(JSON.parse(readFileSync(join(folder.path, 'canvases/small.json'), 'utf8'))).toMatchObject({ name: 'Renamed' });
    await call('put_draft', { workflowId: 'other', canvas: { ...renamed, id: 'other' }, ifRevision: null });
    expect(existsSync(join(folder.path, 'canvases/other.json'))).toBe(true);
    const wrong = smallCanvas({ nodes: [begin, { id: 'done', type: 'end', data: { outputs: { who: '{{$context.nobody}}' } } }] });
    expect(await call('validate', { canvas: wrong })).toMatchObject({
      ok: false,
      problems: [{ code: 'UNWRITTEN_VARIABLE', dialogue: expect.stringContaining('user: hello') as unknown }, { code: 'SAME_KEYWORD' }],
    });
    // A workflow of the folder is known, and so is the word that begins two of them.
    const caller = smallCanvas({
      id: 'caller',
      nodes: [begin, { id: 'call', type: 'workflow', data: { workflowId: 'othr' } }, { id: 'done', type: 'end', data: {} }],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    });
    expect(await call('validate', { canvas: caller })).toMatchObject({
      problems: [{ code: 'UNRESOLVED_REFERENCE' }, { code: 'SAME_KEYWORD' }],
    });
    // What is written may be no tool for the agents of the others any more.
    const agent = {
      model: { baseUrl: 'https://models.example/v1', name: 'small' },
      instructions: 'Sell.',
      tools: [{ kind: 'workflow', name: 'price', description: 'The price', risk: 'read', workflowId: 'price', inputs: {} }],
      exits: [{ name: 'left', when: 'All is said.' }],
    };
    const selling = smallCanvas({ id: 'shop', nodes: [begin, { id: 'talk', type: 'agent', data: agent }, { id: 'done', type: 'end' }] });
    writeFileSync(join(folder.path, 'shop.json'), JSON.stringify(selling));
    const price = smallCanvas({ id: 'price', kind: 'tool', settings: { inputs: { code: { type: 'string' } } } });
    const noTool = { code: 'TOOL_MISMATCH', message: expect.stringContaining('workflow "shop" calls "price"') as unknown };
    const mismatch = { problems: expect.arrayContaining([expect.objectContaining(noTool)]) as unknown };
    expect(await call('validate', { canvas: price })).toMatchObject(mismatch);
    expect(await call('put_draft', { workflowId: 'price', canvas: price, ifRevision: null })).toMatchObject(mismatch);
    const again = await connect([], folder.path, isModern); // one client is answered ten calls at once, and then five a second
    await again('put_transcript', { workflowId: 'other', name: 'main', transcript: 'user: nothing\n' });
    expect(await again('list_transcripts', { workflowId: 'other' })).toEqual({ names: ['main'] });
    expect(await again('run_transcripts', { workflowId: 'other' })).toMatchObject({ passed: 0, failed: [{ name: 'main' }] });
    expect(await again('publish', { workflowId: 'other', ifRevision: 'x', note: 'x' })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await again('population', { workflowId: 'other' })).toMatchObject({ code: 'NO_SERVICE' });
    expect(await again('put_transcript', { workflowId: 'other', name: '..', transcript: 'user: x\n' })).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('says where there is neither a service nor a folder', async () => {
    using folder = folderWith({});
    const noService = await hiloHere(['mcp', '--data', 'none'], { cwd: folder.path });
    expect(noService).toMatchObject({ code: 1, stderr: expect.stringContaining('hilo serve') as unknown });
    const noFolder = await hiloHere(['mcp', '--folder', 'none'], { cwd: folder.path });
    expect(noFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('is no folder that can be read') as unknown });
    expect(await hiloHere(['mcp', '--can', 'view,root'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There are: view, edit, publish') as unknown,
    });
  });
});
