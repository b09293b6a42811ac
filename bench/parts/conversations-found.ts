/** How much of the example canvases the search finds conversations for, and what it costs: ports, and problems of missing variables. */
import { readdirSync, readFileSync } from 'node:fs';
import { checkCanvas, parseCanvas } from '../../packages/engine/src/index.ts';
import type { Json } from '../../packages/engine/src/contract/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { coverPorts, dialogueOf } from '../../packages/simulator/src/index.ts';
import { atLeast, atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import { threadWork } from '../thread-work.ts';

/** A canvas of the examples, with those of its folder that it names. */
interface Example {
  readonly name: string;
  readonly json: { readonly nodes: readonly { readonly type: string; readonly data?: { readonly [name: string]: Json } }[] };
  readonly others: readonly string[];
}

function readExamples(): readonly Example[] {
  return ['canvases', 'workspace/canvases'].flatMap((folder) => {
    const at = new URL(`../../examples/${folder}/`, import.meta.url);
    const texts = readdirSync(at)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, text: readFileSync(new URL(name, at), 'utf8') }));
    return texts.map(({ name, text }) => ({
      name,
      json: JSON.parse(text) as Example['json'],
      others: texts
        .filter((other) => other.name !== name && isNamedIn(text, (JSON.parse(other.text) as { readonly id: string }).id))
        .map((other) => other.text),
    }));
  });
}

/** Whether a canvas calls or enters a workflow: its id may also be a word that users write. */
const isNamedIn = (text: string, workflowId: string): boolean => new RegExp(String.raw`"workflowId":\s*"${workflowId}"`).test(text);

/** The company that the canvases of the example workspace run for. */
const company = { settings: { ordersUrl: 'https://shop.example' } };

export async function conversationsFound(quick: boolean, progress: Progress): Promise<Part> {
  const examples = readExamples().slice(0, quick ? 12 : undefined);
  const [coverMs, dialogueMs]: [number[], number[]] = [[], []];
  const counts = { ports: 0, found: 0, readers: 0, reached: 0 };
  for (const { name, json, others } of examples) {
    progress.say(`conversations: ${name}`);
    const workedMs = threadWork();
    const { talks, never } = await coverPorts([json, ...others], { company });
    coverMs.push(workedMs());
    const found = talks.reduce((sum, { ports }) => sum + ports.length, 0);
    counts.ports += found + never.length;
    counts.found += found;
    for (const broken of withoutWrites(json)) {
      const canvas = parseCanvas(broken).canvas;
      const problems = canvas === undefined ? [] : checkCanvas(canvas, { nodes: standardNodes });
      for (const problem of problems) {
        if (problem.severity !== 'error' || problem.way === undefined || problem.follows !== undefined) continue;
        const searchedMs = threadWork();
        const dialogue = await dialogueOf([broken, ...others], problem, { company });
        dialogueMs.push(searchedMs());
        counts.readers += 1;
        counts.reached += dialogue === undefined ? 0 : 1;
      }
    }
  }
  progress.clear();
  const all = coverMs.reduce((sum, ms) => sum + ms, 0);
  const percent = (part: number, whole: number): number => Math.round((1_000 * part) / Math.max(1, whole)) / 10;
  return {
    name: 'Conversations that are found',
    unit: 'ms of processor time',
    contestants: [
      { name: 'all ports of a canvas', median: median(coverMs) },
      { name: 'the way of a missing variable', median: median(dialogueMs) },
    ],
    aims: [
      atLeast('ports of the example canvases, %', percent(counts.found, counts.ports), 95),
      atLeast('first readers of missing variables, %', percent(counts.reached, counts.readers), 90),
      atMost('all example canvases, s', all / 1_000, 5),
      atMost('a missing variable, median ms', median(dialogueMs), 20),
    ],
    notes: [`${counts.found} of ${counts.ports} ports, ${counts.reached} of ${counts.readers} first readers`],
  };
}

/** The canvas with one node at a time that no longer keeps what it gets. */
function withoutWrites(json: Example['json']): readonly object[] {
  return json.nodes.flatMap(({ type, data = {} }, index) => {
    const { saveAs, ...others } = data;
    const changed = type === 'set' ? { ...json.nodes[index], type: 'log', data: { name: 'x' } } : { ...json.nodes[index], data: others };
    return type === 'set' || saveAs !== undefined
      ? [{ ...json, nodes: json.nodes.with(index, changed as Example['json']['nodes'][number]) }]
      : [];
  });
}
