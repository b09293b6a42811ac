// `hilo test --agents`: the model of each agent as an adversary. Every answer that a model may give is tried, some in a row.
import { readFile, stat } from 'node:fs/promises';
import { normalize } from 'node:path';
import { isJsonObject, JsonObject, parseJsonText } from '@hilo/engine/contract';
import { agentsOf, type Explored, exploreAgent } from '@hilo/simulator';
import { type Paint, painter, printable, printJson } from './paint.ts';
import { projectFiles } from './run/setup.ts';
import { listFiles } from './test-transcripts.ts';

/** The flags that `hilo test --agents` takes. */
export interface TestAgentsOptions {
  readonly config?: string;
  readonly depth?: number;
  readonly json?: true;
}

/** The agents of a canvas that was explored. */
interface ExploredAgent extends Explored {
  readonly canvas: string;
  readonly agent: string;
}

/** Explores every agent of the canvases in some places; the exit code is 1 where a law is broken or a canvas cannot be read. */
export async function testAgents(places: readonly string[], options: TestAgentsOptions): Promise<void> {
  const project = projectFiles(options);
  const paint = painter(process.stdout);
  const explored: ExploredAgent[] = [];
  for (const file of await findAgents(places.length === 0 ? ['.'] : places)) {
    const canvas = await project.readSound(file);
    if (canvas === undefined) {
      process.exitCode = 1;
      continue;
    }
    const plain = JsonObject.parse(canvas);
    for (const agent of agentsOf(plain)) {
      const one = { canvas: file, agent, ...exploreAgent(plain, { agent, depth: options.depth ?? 2 }) };
      explored.push(one);
      if (options.json !== true) process.stdout.write(`${draw(one, paint)}\n`);
      if (one.breaches.length > 0) process.exitCode = 1;
    }
  }
  if (options.json === true) printJson({ agents: explored });
  else if (explored.length === 0) process.stdout.write('There is no agent here.\n');
}

/** The canvases with agents in some files and folders. Other JSON is left alone. */
async function findAgents(places: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const place of places) {
    const isFolder = (await stat(place)).isDirectory();
    for (const file of isFolder ? await listFiles(place, '.json') : [normalize(place)])
      if (!isFolder || hasAgent(await readFile(file, 'utf8'))) found.add(file);
  }
  return [...found].toSorted();
}

function hasAgent(text: string): boolean {
  try {
    const value = parseJsonText(text);
    return isJsonObject(value) && agentsOf(value).length > 0;
  } catch {
    return false;
  }
}

/** A line for an agent, and the way to each law that is broken. */
function draw({ canvas, agent, steps, isComplete, worst, breaches }: ExploredAgent, paint: Paint): string {
  const name = `${printable(canvas)} ${printable(agent)}`;
  const tried = `${steps.toLocaleString('en')} steps${isComplete ? '' : ', and not all'}`;
  const most = `at most ${worst.modelCalls} calls of models, ${worst.toolCalls} of tools, ${worst.messages} messages`;
  if (breaches.length === 0) return `${paint('green', '✔')} ${name}: ${tried}, no law is broken; ${most}`;
  const told = breaches.map(({ law, way }) => [`  it ${law}, but:`, ...way.map((step) => `    ${printable(step)}`)].join('\n'));
  return `${paint('red', '✖')} ${name}: ${tried}\n${told.join('\n')}`;
}
