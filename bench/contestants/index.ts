import { compiled, tenNodes, wideCanvas } from '../canvases.ts';
import { loadPeer } from '../peers.ts';
import * as work from '../work.ts';
import { asyncLoop, syncLoop } from './bare-loop.ts';
import { callWebhook, type CreateActor, engineFor, hiloActor, hiloCore, hiloEngine } from './hilo.ts';

type Work = Pick<typeof work, 'check' | 'orderOf'>;

/** All contestants by name. Created for each round, so that none carries the memory of earlier rounds along. */
export const contestants = {
  'async-loop': () => asyncLoop(),
  'sync-loop': () => syncLoop(),
  xstate: () => peer('xstate-machine.mjs', 'xstateMachine'),
  robot3: () => peer('robot-machine.mjs', 'robotMachine'),
  'node-red': () => peer('node-red.mjs', 'nodeRed'),
  mastra: () => peer('mastra.mjs', 'mastra'),
  langgraph: () => peer('langgraph.mjs', 'langGraph'),
  'sequential-workflow': () => peer('sequential-workflow.mjs', 'sequentialWorkflow'),
  'bpmn-engine': () => peer('bpmn-engine.mjs', 'bpmnEngine'),
  core: () => hiloCore(compiled(tenNodes())),
  actor: async () =>
    hiloActor(
      compiled(tenNodes()),
      ((await loadPeer('node_modules/xstate/dist/xstate.esm.js')) as { createActor: CreateActor }).createActor,
    ),
  engine: () => engineContestant(tenNodes(), 'ten-nodes'),
  'core-wide': () => hiloCore(compiled(wideCanvas(10_000))),
  'engine-wide': () => engineContestant(wideCanvas(10_000), 'wide'),
} satisfies { readonly [name: string]: () => work.Contestant | Promise<work.Contestant> };

export type ContestantName = keyof typeof contestants;

const withoutPeers: ReadonlySet<string> = new Set<ContestantName>([
  'async-loop',
  'sync-loop',
  'core',
  'engine',
  'core-wide',
  'engine-wide',
]);

/** Whether a contestant is made of a peer, or beside one. */
export const needsPeers = (name: string): boolean => Object.hasOwn(contestants, name) && !withoutPeers.has(name);

/** A contestant in plain JavaScript: its library is installed beside the workspace, and types would need it when they are checked. */
async function peer(file: string, create: string): Promise<work.Contestant> {
  const module = (await loadPeer(`contestants/${file}`)) as Readonly<
    Record<string, (given: Work) => work.Contestant | Promise<work.Contestant>>
  >;
  const make = module[create];
  if (make === undefined) throw new Error(`${file} exports no ${create}`);
  return make(work);
}

async function engineContestant(canvas: object, workflowId: string): Promise<work.Contestant> {
  const sink = { count: 0, last: '' };
  const engine = await engineFor(canvas, sink);
  await callWebhook(engine, workflowId, 0); // compiles the canvas, which is measured apart
  await engine.whenIdle();
  sink.count = 0;
  return hiloEngine(engine, workflowId, sink);
}
