import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCanvas } from '@hilo/engine';
import type { Problem } from '@hilo/engine/contract';
import { problemCodes } from '@hilo/engine/authoring';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokenCanvas, brokenCanvasCodes } from '../../../testing/src/arbitraries/broken-canvases.ts';
import { checkFile, readCanvasFile } from '../../../cli/src/canvas-file.ts';
import { workspaceChecks } from '../../../cli/src/workspace-checks.ts';
import { createManagement } from '../../src/service/app.ts';
import { openService } from '../../src/service/open-service.ts';
import { completeParts } from '../../src/service/host-parts.ts';
import { settingsFor } from '../data/settings.ts';
import { fewRuns } from '../../../../scripts/vitest/part-of.ts';

/** Nodes that name things of a company, some of which it has, and a text that is long for some channels. */
const naming = fc.record({
  template: fc.constantFrom('tpl1', 'tpl2', 'gone'),
  credential: fc.constantFrom('cred1', 'gone'),
  workflow: fc.constantFrom('helper', 'subject', 'gone'),
  tag: fc.constantFrom(1, 2),
  functionId: fc.constantFrom('fn_echo', 'fn_gone'),
  keyword: fc.constantFrom('order', 'help', 'other'),
  interrupts: fc.boolean(),
  channels: fc.constantFrom(undefined, ['whatsapp'], ['slack', 'web']),
  text: fc.constantFrom('Hi {{$user.names}}', 'Hi {{$user.name}}', '{{$context.gone}}', 'x'.repeat(3_500), 'x'.repeat(10_001)),
});

type Names = typeof naming extends fc.Arbitrary<infer Value> ? Value : never;

const namingCanvas = ({ template, credential, workflow, tag, functionId, keyword, interrupts, channels, text }: Names) => ({
  schemaVersion: 1,
  id: 'subject',
  name: 'Subject',
  settings: channels === undefined ? {} : { channels },
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: [keyword], fallback: keyword === 'help', interrupts } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'tell', type: 'template', data: { templateId: template, parameters: {} } },
    { id: 'get', type: 'api', data: { url: 'https://x.example', auth: { credentialId: credential } } },
    { id: 'mark', type: 'tags', data: { action: 'add', tags: [tag] } },
    { id: 'compute', type: 'function', data: { functionId } },
    { id: 'call', type: 'workflow', data: { workflowId: workflow } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'tell' },
    { source: 'tell', sourceHandle: 'sent', target: 'get' },
    { source: 'get', sourceHandle: 'success', target: 'mark' },
    { source: 'mark', sourceHandle: 'success', target: 'compute' },
    { source: 'compute', sourceHandle: 'success', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'done' },
  ],
});

const anyCanvas = fc.oneof(
  { weight: 2, arbitrary: naming.map(namingCanvas) },
  { weight: 1, arbitrary: arbitraries.canvas() },
  { weight: 2, arbitrary: brokenCanvas().map(({ canvas }) => canvas) },
);

const company = fc.record({
  channels: fc.uniqueArray(fc.constantFrom('whatsapp', 'slack', 'instagram', 'web'), { maxLength: 3 }),
  templates: fc.subarray(['tpl1', 'tpl2']),
  hasCredential: fc.boolean(),
  rival: fc.constantFrom('order', 'help'),
  interrupts: fc.boolean(),
  hasTag: fc.boolean(),
});

type Company = typeof company extends fc.Arbitrary<infer Value> ? Value : never;

/** A workspace with one company; its first bot has the templates. */
const workspaceOf = (id: number, { channels, templates, hasCredential, rival, interrupts, hasTag }: Company) => ({
  companies: [
    {
      id,
      name: 'Company',
      plan: 'free',
      bots: ['custom', ...channels].map((channel) => ({
        id: `bot_${id}_${channel}`,
        name: channel,
        channel,
        connectedAt: '2031-01-01T00:00:00Z',
        provider: { kind: 'log', appSecret: 'secret-of-the-bot' },
      })),
      templates: templates.map((name) => ({
        id: name,
        botId: `bot_${id}_custom`,
        elementName: name,
        language: 'en',
        category: 'UTILITY',
        status: name === 'tpl2' ? 'PENDING' : 'APPROVED',
        body: 'Hi',
      })),
      credentials: hasCredential ? [{ id: 'cred1', kind: 'bearer', token: 'secret-token' }] : [],
      tags: hasTag ? [{ id: 1, name: 'Customer', color: '#336699' }] : [],
      workflows: [
        {
          publish: true,
          canvas: {
            schemaVersion: 1,
            id: 'helper',
            name: 'Helper',
            nodes: [
              { id: 'begin', type: 'start', data: { keywords: [rival], fallback: rival === 'help', interrupts } },
              { id: 'done', type: 'end' },
            ],
            edges: [{ source: 'begin', target: 'done' }],
          },
        },
      ],
    },
  ],
});

interface Answer {
  readonly status: number;
  readonly body: { readonly problems?: readonly Problem[]; readonly warnings?: readonly Problem[] };
}

/** A service and a folder in which the three lists of a canvas are compared, each canvas for a company of its own. */
async function createComparison() {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-one-list-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const service = await openService(settingsFor(join(folder, 'data')), { log });
  onTestFinished(() => service.close());
  const management = createManagement(service);
  const ask = async (method: string, path: string, body?: string): Promise<Answer> => {
    const response = await management.request(path, { method, ...(body !== undefined && { body }) });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const parts = completeParts({});
  const codes = new Set<string>();
  let companyId = 0;
  return {
    /** The codes found so far. */
    codes,
    async compare(facts: Company, canvas: unknown): Promise<void> {
      companyId += 1;
      const workspace = workspaceOf(companyId, facts);
      await service.importWorkspace({ workspace });
      const [canvasFile, workspaceFile] = [join(folder, 'canvas.json'), join(folder, 'workspace.json')];
      const text = typeof canvas === 'string' ? canvas : JSON.stringify(canvas);
      writeFileSync(canvasFile, text);
      writeFileSync(workspaceFile, JSON.stringify(workspace));

      const parsed = parseCanvas(text).canvas;
      const checks = await workspaceChecks(workspaceFile, parts, parsed === undefined ? [] : [parsed.id]);
      const { connections, published } = checks(canvasFile);
      const ofFile = await checkFile(await readCanvasFile(canvasFile), { parts, ...connections, published });
      const problems = ofFile.map(({ problem }) => problem);
      for (const { code } of problems) codes.add(code);

      const validated = await ask('POST', `/validate?companyId=${companyId}`, text);
      if (validated.status !== 200) return; // no text in which a canvas could be looked for
      expect(validated.body.problems).toEqual(problems);

      if (parsed === undefined) return; // it cannot be kept, and so not be published
      const place = `/workflows/${parsed.id}`;
      expect((await ask('PUT', `${place}?companyId=${companyId}`, text)).body.problems).toEqual(problems);
      const publishing = await ask('POST', `${place}/publish?companyId=${companyId}`);
      const isRefused = problems.some(({ severity }) => severity === 'error');
      expect(publishing.status).toBe(isRefused ? 422 : 200);
      expect(isRefused ? publishing.body.problems : publishing.body.warnings).toEqual(problems);
    },
  };
}

/** For a body that no route accepts as a canvas. */
const ofNoCanvas = ['NOT_JSON', 'CANVAS_TOO_LARGE', 'TOO_DEEP', 'TOO_MANY_KEYS'];
/** Only without a workspace references stay unchecked. */
const ofTheUnknown = ['MISSING_DRIVER', 'REFERENCE_NOT_CHECKED'];
/** Problems of a canvas by itself: no workspace changes them. */
const ofCanvasAlone = ['PORT_LEADS_NOWHERE', 'FLOW_WITHOUT_NAME', 'TEXT_AS_JSON', 'MORE_PROBLEMS'];

/** A canvas for each problem, which the page of problems shows. */
const examples = join(import.meta.dirname, '../../../engine/test/problem-examples');

/** WhatsApp accepts 20 characters on the button; the web chat accepts all. */
const longLink = {
  type: 'cta_url',
  title: 't',
  text: 'a',
  caption: 'c',
  parameters: { url: 'https://a.example', display_text: 'x'.repeat(21) },
};

describe('the problems of a canvas', () => {
  it('are one list for validate with a workspace, validate in the service, and publishing', { timeout: 120_000 }, async () => {
    const { compare, codes } = await createComparison();
    await fc.assert(fc.asyncProperty(company, anyCanvas, compare), fewRuns(60));
    // Most lists must not be empty, or the property would show nothing.
    expect(codes.size).toBeGreaterThan(5);
  });

  it('are one list whichever they are', { timeout: 120_000 }, async () => {
    const { compare, codes } = await createComparison();
    for (const code of brokenCanvasCodes)
      await fc.assert(
        fc.asyncProperty(company, brokenCanvas([code]), (facts, { canvas }) => compare(facts, canvas)),
        { numRuns: 1 },
      );
    const facts: Company = { channels: ['slack'], templates: [], hasCredential: false, rival: 'help', interrupts: true, hasTag: false };
    const names: Names = {
      template: 'gone',
      credential: 'gone',
      workflow: 'gone',
      tag: 2,
      functionId: 'fn_gone',
      keyword: 'help',
      interrupts: true,
      channels: undefined,
      text: 'x'.repeat(10_001),
    };
    for (const interrupts of [true, false]) await compare(facts, namingCanvas({ ...names, interrupts }));
    await compare(facts, namingCanvas({ ...names, text: 'Hi {{$user.name}}' }));
    await compare({ ...facts, templates: ['tpl2'] }, namingCanvas({ ...names, template: 'tpl2' }));
    const links = { ...namingCanvas({ ...names, text: 'in place of a link' }), settings: { channels: ['whatsapp', 'web'] } };
    await compare(facts, JSON.stringify(links).replace('{"type":"text","text":"in place of a link"}', JSON.stringify(longLink)));
    const repeated = JSON.stringify(namingCanvas(names)).replace('"name":"Subject"', '"name":"Subject","name":"Subject"');
    await compare(facts, repeated);
    for (const file of readdirSync(examples)) {
      if (!codes.has(file.replace('.json', ''))) await compare(facts, readFileSync(join(examples, file), 'utf8'));
    }
    const mayBeMissing = new Set<string>([...ofNoCanvas, ...ofTheUnknown, ...ofCanvasAlone]); // a canvas that is drawn may have one of the last
    expect(Object.keys(problemCodes).filter((code) => !codes.has(code) && !mayBeMissing.has(code))).toEqual([]);
  });
});
