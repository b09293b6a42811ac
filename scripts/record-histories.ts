// `npm run record-histories`: plays the transcripts of the examples, and keeps the histories of their executions, with the canvases that they
// ran on, as those of this release. Every later release must lead each of them to the state that this one came to (P36).
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createMemoryStore } from '../packages/engine/src/index.ts';
import { canvasHash } from '../packages/engine/src/store-kit.ts';
import { readCanvas } from '../packages/simulator/src/read-canvas.ts';
import { replayScript, simulatedIds } from '../packages/simulator/src/index.ts';
import { addHistories, type RecordedExecution, replayRecorded, type RecordedHistories } from '../tests/histories/recorded.ts';

const { values, positionals } = parseArgs({ options: { again: { type: 'boolean', default: false } }, allowPositionals: true });
const { version } = JSON.parse(readFileSync(new URL('../packages/engine/package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
const [release = version] = positionals;
const output = new URL(`../tests/histories/${release}.jsonl.gz`, import.meta.url);
if (existsSync(output) && !values.again) {
  console.error(`${release} has histories already, and what a release has written is not written again: bump the version, or say --again`);
  process.exit(1);
}

const examples = new URL('../examples/', import.meta.url);
const textsOf = (folder: string) =>
  new Map(readdirSync(new URL(folder, examples)).map((name) => [name, readFileSync(new URL(`${folder}${name}`, examples), 'utf8')]));
const canvases = new Map([...textsOf('canvases/').values()].map((text) => [(JSON.parse(text) as { readonly id: string }).id, text]));

/** A canvas and those that its text names, and so on. */
function family(id: string, found: readonly string[] = []): readonly string[] {
  const text = canvases.get(id);
  if (text === undefined || found.includes(id)) return found;
  const others = [...canvases.keys()].filter((other) => other !== id && text.includes(`"${other}"`));
  return others.reduce((all: readonly string[], other) => family(other, all), [...found, id]);
}

const recorded: RecordedHistories = { canvases: {}, executions: [] };
for (const [name, script] of textsOf('transcripts/')) {
  const store = createMemoryStore();
  const texts = family(name.split('.', 1)[0] ?? '').map((id) => canvases.get(id) ?? '');
  const transcript = await replayScript(texts, script, { store });
  if (transcript !== script)
    console.error(`${name} is not what happens with the canvases that it names alone: it is recorded as it happens`);
  for (const text of texts) recorded.canvases[canvasHash(readCanvas(text))] = JSON.parse(text) as object;
  for (const record of (await store.list(simulatedIds.companyId, { limit: 1_000 })).results) {
    const execution: RecordedExecution = { record, history: await store.history(simulatedIds.companyId, record.executionId) };
    const alone = { canvases: recorded.canvases, executions: [execution] };
    if ((await replayRecorded(alone)).equal === 1) addHistories(recorded, execution, name);
  }
}
mkdirSync(new URL('.', output), { recursive: true });
const lines = [
  ...Object.entries(recorded.canvases).map(([hash, canvas]) => ({ hash, canvas })),
  ...recorded.executions.map((execution) => ({ execution })),
];
writeFileSync(output, gzipSync(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, { level: 9 }));
console.log(`${recorded.executions.length} histories of ${Object.keys(recorded.canvases).length} canvases are kept as those of ${release}`);
