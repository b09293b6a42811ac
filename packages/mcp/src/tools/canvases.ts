// Tools for a canvas that need no store: the nodes and the language, checks with their fixes, and a picture.
import { applyPatch } from '@hilo/engine/authoring';
import { findMeantConstant, findNearestName, suggest } from '@hilo/engine/contract';
import { nodeCatalogue, summariseNode } from '@hilo/nodes';
import { z } from 'zod';
import { cut, many, type ToolAnswer } from '../answer.ts';
import { isRecord, ToolRefused } from '../backend.ts';
import { readSections } from '../docs.ts';
import { CanvasInput, defineTool, readSubject, SubjectInput, type ToolContext } from '../tool.ts';
import { listProblem } from './list-problem.ts';

export const listNodes = defineTool({
  name: 'list_nodes',
  title: 'List nodes',
  description: 'Every type of node that a canvas can have: what it is for and its ports, those in brackets may stay without an edge.',
  needs: 'view',
  input: z.strictObject({}),
  run(_input, { nodes }) {
    const listed = nodes.map(summariseNode).map(({ type, category, description, ports }) => ({
      type,
      category,
      purpose: description,
      ports: ports === undefined ? 'as its data says' : [...ports.required, ...ports.optional.map((port) => `[${port}]`)],
    }));
    return Promise.resolve({
      text: `${many(listed.length, 'type')} of nodes. describe_node has the fields of one.`,
      value: { nodes: listed },
    });
  },
});

export const describeNode = defineTool({
  name: 'describe_node',
  title: 'Describe a node',
  description:
    'The page of a type of node: its fields, ports and failures, an example canvas and a transcript of it. Of a node of the host: its description and the JSON Schema of its data. Also any other page that one names, such as "messages" (what a message may be), "nodes" (fields of every node), "canvas", "testing" (every line of a script) or "forms".',
  needs: 'view',
  input: z.strictObject({
    type: z.string().min(1).max(100).describe('Such as "ask"; list_nodes has all. Or the name of a page, such as "messages"'),
  }),
  run({ type }, { nodes, docs }) {
    const node = nodes.find((one) => one.type === type);
    if (node === undefined) return Promise.resolve(describePage(type, nodes, docs));
    const { description, ports } = summariseNode(node);
    const page = docs.read(`nodes/${type}`);
    const [ofHost] = page === undefined ? nodeCatalogue([node]) : [];
    return Promise.resolve({ text: description, value: page === undefined ? { type, ports, schema: ofHost?.schema } : { type, page } });
  },
});

/** A page that is none of a node, such as one to which that of a node leads. @throws {ToolRefused} where there is none */
function describePage(name: string, nodes: ToolContext['nodes'], docs: ToolContext['docs']): ToolAnswer {
  const written = name
    .replace(/^hilo:\/\/docs\//, '')
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/\.md$/, '');
  const page = docs.read(written);
  if (page !== undefined) return { text: `The page "${written}".`, value: { type: written, page } };
  const nearest = findMeantConstant(name, [...nodes.map(({ type }) => type), ...docs.pages]);
  throw new ToolRefused(
    'UNKNOWN_NODE',
    `There is no node "${cut(name, 100)}": ${nearest === undefined ? '' : `did you mean "${nearest}"? `}list_nodes has all of them`,
  );
}

export const expressionReference = defineTool({
  name: 'expression_reference',
  title: 'The language of expressions',
  description:
    'What can stand between {{ and }}: without "about" the scopes ($user, $context, $message …), the operators and the names of all functions; with the name of a function, a scope or a section, that part.',
  needs: 'view',
  input: z.strictObject({ about: z.string().min(1).max(100).optional().describe('Such as "round", "$message" or "Time"') }),
  run({ about }, { docs }) {
    const sections = readSections(docs.read('expressions') ?? '');
    if (about === undefined) {
      const [scopes, operators] = ['Scopes', 'Operators'].map((name) => sections.find(({ heading }) => heading === name)?.text ?? '');
      const functions = sections.flatMap(({ heading, text }) => listForms(text).map((form) => `${heading}: ${form}`));
      return Promise.resolve({ text: `${functions.length} functions.`, value: { scopes, operators, functions } });
    }
    const wanted = about.toLowerCase();
    const section = sections.find(({ heading }) => heading.toLowerCase() === wanted);
    const lines = sections.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('|') && isAbout(line, about)));
    if (section === undefined && lines.length === 0) {
      const known = sections.flatMap(({ heading, text }) => [heading, ...listForms(text).map((form) => form.split('(', 1).join())]);
      const nearest = suggest(findNearestName(about, known));
      throw new ToolRefused(
        'UNKNOWN_NAME',
        `The language has no "${cut(about, 100)}": ${nearest === undefined ? '' : `${nearest} `}without "about" this tool lists all`,
      );
    }
    return Promise.resolve({ text: section?.heading ?? `${lines.length} entries.`, value: { text: section?.text ?? lines.join('\n') } });
  },
});

/** The first cells of the rows of a table, without its head. */
const listForms = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const form = /^\| `([^`]{1,200})`/.exec(line)?.[1];
    return form === undefined ? [] : [form];
  });

/** Whether the first cell of a row is a name, or a call of it. */
function isAbout(row: string, name: string): boolean {
  const first = /^\| `([^`]{1,200})`/.exec(row)?.[1] ?? '';
  return first === name || first.startsWith(`${name}(`) || first.includes(`.${name}(`) || first.startsWith(`${name}.`);
}

const FixValue = z.object({ label: z.string(), patch: z.array(z.unknown()) });
const ProblemValue = z.looseObject({
  code: z.string(),
  severity: z.string(),
  pointer: z.string(),
  fixes: z.array(FixValue).optional(),
  dialogue: z.looseObject({ transcript: z.string() }).nullish(),
});
const Checked = z.object({ ok: z.boolean(), problems: z.array(ProblemValue) });

const validateSubject = async (canvas: object, { ask }: Pick<ToolContext, 'ask'>, query = '') =>
  Checked.parse(await ask({ method: 'POST', path: `/validate${query}`, body: canvas }));

export const validate = defineTool({
  name: 'validate',
  title: 'Check a canvas',
  description:
    'Checks a canvas as publishing would, and answers every problem at once: code, place, what is wrong, what to do, the way through the canvas that proves it, a conversation that shows it where one was found ("dialogue"), and fixes that apply_fix can make. "ok" means that it can be published.',
  needs: 'view',
  input: z.strictObject(SubjectInput),
  async run(subject, context) {
    const { ok, problems } = await validateSubject(await readSubject(subject, context), context, '?dialogues=true');
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    return {
      text: ok && problems.length === 0 ? 'No problem.' : `${many(errors, 'error')} and ${many(problems.length - errors, 'warning')}.`,
      value: { ok, problems: problems.map(listProblem) },
    };
  },
});

export const applyFix = defineTool({
  name: 'apply_fix',
  title: 'Apply a fix',
  description: 'Makes a fix that validate offers, and answers the whole canvas; it stores nothing: put_draft does that.',
  needs: 'view',
  input: z.strictObject({
    canvas: CanvasInput,
    pointer: z.string().max(1_000).describe('The pointer of the problem'),
    code: z.string().max(100).describe('The code of the problem'),
    fix: z
      .union([z.int().min(0), z.string().max(1_000)])
      .default(0)
      .describe('The label of the fix, or its place in the list, from 0'),
  }),
  async run({ canvas, pointer, code, fix }, context) {
    const { problems } = await validateSubject(canvas, context);
    // Several problems may have one place, such as the ports of a node that lead nowhere: the label says which of them is meant.
    const there = problems.filter((one) => one.code === code && one.pointer === pointer);
    if (there.length === 0)
      throw new ToolRefused(
        'NO_SUCH_PROBLEM',
        `The canvas has no problem ${cut(code, 100)} at "${cut(pointer, 200)}": validate lists them`,
      );
    const fixes = there.flatMap((problem) => problem.fixes ?? []);
    const chosen = typeof fix === 'number' ? fixes[fix] : fixes.find(({ label }) => label === fix);
    if (chosen === undefined)
      throw new ToolRefused(
        'NO_SUCH_FIX',
        fixes.length === 0
          ? 'This problem has no fix: change the canvas yourself'
          : 'This problem has other fixes: take one of "fixes" by its label, or change the canvas yourself',
        { fixes: fixes.map(({ label }) => label) },
      );
    const patched = applyPatch(canvas, z.array(Operation).parse(chosen.patch));
    if (!isRecord(patched))
      throw new ToolRefused('NO_SUCH_FIX', 'The fix does not fit this canvas: call validate again, and take a fix of its answer');
    return { text: `${chosen.label}.`, value: { canvas: patched } };
  },
});

const Operation = z.union([
  z.object({ op: z.literal('remove'), path: z.string() }),
  z.object({ op: z.enum(['add', 'replace']), path: z.string(), value: z.json() }),
]);

export const renderPicture = defineTool({
  name: 'render_picture',
  title: 'Draw a canvas',
  description: 'A canvas as a picture (SVG), with its nodes where they lie, or laid out where some have no position.',
  needs: 'view',
  input: z.strictObject(SubjectInput),
  async run(subject, context) {
    const canvas = await readSubject(subject, context);
    const { svg, nodes, width, height } = await context.draw(canvas);
    return {
      text: `${many(nodes, 'node')}, ${width} × ${height}.`,
      value: { nodes, width, height },
      picture: { uri: `hilo://pictures/${encodeURIComponent(typeof canvas['id'] === 'string' ? canvas['id'] : 'canvas')}.svg`, svg },
    };
  },
});
