// `hilo test`: plays transcripts again, and compares each with what happens now.
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { type Canvas, type Channel, type HistoryRecord, type NodeDefinition, isHiloError } from '@hilo/engine/contract';
import { uncoveredPorts } from '@hilo/simulator';
import { type CanvasCoverage, drawCoverage } from './run/coverage.ts';
import { type Paint, painter, printable } from './paint.ts';
import { describeFailures } from './run/failures.ts';
import { replay, transcriptDiff } from './run/replay.ts';
import { prepareRun, projectFiles, type RunSetup } from './run/setup.ts';

/** The flags of `hilo test`. */
export interface TestOptions {
  /** The file with what the project adds to Hilo. */
  readonly config?: string;
  /** Files of further canvases that run beside each. */
  readonly with?: readonly string[];
  readonly workspace?: string;
  readonly channel: Channel;
  /** Writes what happens now into the transcripts that differ. */
  readonly update?: true;
  readonly json?: true;
}

/** A transcript, and the file of its canvas. */
interface Transcript {
  readonly file: string;
  readonly canvas: string;
}

/** The result of replaying a transcript. */
type Played = Transcript & ({ readonly kind: 'same' | 'updated' } | { readonly kind: 'differs' | 'failed'; readonly told: string });

/**
 * Plays transcripts again and compares each with what happens now.
 *
 * @param places - files, or folders that are searched for them; the folder that one is in, when there are none
 */
export async function testTranscripts(places: readonly string[], options: TestOptions): Promise<void> {
  const paint = painter(process.stdout);
  const transcripts = await listTranscripts(places.length === 0 ? ['.'] : places);
  if (transcripts.length === 0)
    throw new Error('There is no transcript here: one is NAME.txt or NAME.ANYTHING.txt, beside NAME.json or in a folder beside canvases/');
  const players = createPlayers(options);
  const played: Played[] = [];
  for (const transcript of transcripts) {
    const one = await players.play(transcript);
    played.push(one);
    if (options.json !== true) process.stdout.write(`${drawPlayed(one, paint)}\n`);
  }
  const coverage = players.coverage();
  if (options.json === true) process.stdout.write(`${JSON.stringify({ transcripts: played.map(describePlayed), coverage }, null, 2)}\n`);
  else process.stdout.write(`\n${drawCoverage(coverage, paint)}\n\n${summary(played, paint)}\n`);
  if (played.some(isBad)) process.exitCode = 1;
}

const isBad = ({ kind }: Played): boolean => kind === 'differs' || kind === 'failed';

/** Plays transcripts; each canvas is read, checked and counted once. */
function createPlayers(options: TestOptions) {
  const stages = new Map<string, Promise<RunSetup | undefined>>();
  const canvases = new Map<string, { readonly canvas: Canvas; readonly nodes: readonly NodeDefinition[] }>();
  const histories: (readonly HistoryRecord[])[] = [];

  const files = projectFiles(options);
  /** Setups that a transcript was played with: their canvases were checked together, and need not be again. */
  const checked = new Set<RunSetup>();

  const prepareStage = (canvas: string): Promise<RunSetup | undefined> => {
    const stage =
      stages.get(canvas) ??
      prepareRun(canvas, { channel: options.channel, seed: 1, ...(options.with !== undefined && { with: options.with }) }, files);
    stages.set(canvas, stage);
    return stage;
  };

  return {
    async play(transcript: Transcript): Promise<Played> {
      const stage = await prepareStage(transcript.canvas);
      if (stage === undefined) return { ...transcript, kind: 'failed', told: `${transcript.canvas} cannot run` };
      for (const canvas of stage.canvases) canvases.set(canvas.id, { canvas, nodes: stage.parts.nodes });
      const expected = await readFile(transcript.file, 'utf8');
      try {
        const { transcript: happens, conversation } = await replay(stage, expected, { isChecked: checked.has(stage) });
        checked.add(stage);
        for (const { executionId } of await conversation.executions()) histories.push(await conversation.history(executionId));
        const paint = options.json === true ? unpainted : painter(process.stdout);
        const difference = transcriptDiff(expected, happens, paint);
        const told = difference && [difference, ...(await describeFailures(conversation, paint))].join('\n');
        if (told === undefined) return { ...transcript, kind: 'same' };
        if (options.update !== true) return { ...transcript, kind: 'differs', told };
        await writeFile(transcript.file, happens);
        return { ...transcript, kind: 'updated' };
      } catch (error) {
        if (!isHiloError(error, 'INVALID_SCRIPT')) throw error;
        return { ...transcript, kind: 'failed', told: error.message };
      }
    },
    /** Which ports the transcripts left by, of every canvas that took part. */
    coverage: (): readonly CanvasCoverage[] =>
      [...canvases.values()].map(({ canvas, nodes }) => ({ workflowId: canvas.id, ...uncoveredPorts(canvas, histories, { nodes }) })),
  };
}

const unpainted: Paint = (_format, text) => text;

function drawPlayed(played: Played, paint: Paint): string {
  const file = printable(played.file);
  switch (played.kind) {
    case 'same':
      return `${paint('green', '✔')} ${file}`;
    case 'updated':
      return `${paint('yellow', '✔')} ${file} is rewritten`;
    case 'differs':
      return `${paint('red', '✖')} ${file}\n${played.told}`;
    case 'failed':
      return `${paint('red', '✖')} ${file}: ${printable(played.told)}`;
  }
}

function summary(played: readonly Played[], paint: Paint): string {
  const many = played.length === 1 ? '1 transcript' : `${played.length} transcripts`;
  const bad = played.filter(isBad).length;
  if (bad === 0) return paint('green', `✔ ${many} as they are written`);
  return `${paint('red', `✖ ${bad} of ${many} not as written`)}: ${paint('red', '-')} is what a transcript says, ${paint('green', '+')} what happens`;
}

const describePlayed = (played: Played) => ({
  file: played.file,
  canvas: played.canvas,
  ok: !isBad(played),
  kind: played.kind,
  ...('told' in played && { told: played.told }),
});

/** @throws {Error} for a place that is not there, and for a file that belongs to no canvas */
async function listTranscripts(places: readonly string[]): Promise<readonly Transcript[]> {
  const found = new Map<string, Transcript>();
  for (const place of places) {
    const info = await stat(place).catch(() => undefined);
    if (info === undefined) throw new Error(`${printable(place)}: there is no such file or folder`);
    // A canvas would be played, and with --update be overwritten.
    if (!info.isDirectory() && !place.endsWith('.txt'))
      throw new Error(
        `${printable(place)} is no transcript: one is NAME.txt or NAME.ANYTHING.txt. Name those of the canvas, or their folder`,
      );
    for (const file of info.isDirectory() ? await listTextFiles(place) : [normalize(place)]) {
      const canvas = await findCanvas(file);
      if (canvas !== undefined) found.set(file, { file, canvas });
      else if (!info.isDirectory())
        throw new Error(
          `${printable(file)}: there is no canvas ${printable(readCanvasName(file))}.json beside it, one folder up, or in canvases/ beside its folder`,
        );
    }
  }
  return [...found.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** The transcripts of a canvas in some folders; a folder that is not there has none. */
export async function findTranscripts(canvas: string, folders: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of folders)
    for (const file of await listTextFiles(folder).catch(() => []))
      if (resolve((await findCanvas(file)) ?? '') === resolve(canvas)) found.add(resolve(file));
  return [...found].sort();
}

/** Folders of tools and packages hold no transcripts. */
const isSearched = (name: string): boolean => name !== 'node_modules' && name !== 'dist' && !name.startsWith('.');

const listTextFiles = (folder: string): Promise<readonly string[]> => listFiles(folder, '.txt');

/** The files of a folder and those below it whose names end so. */
export async function listFiles(folder: string, ending: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && isSearched(entry.name)) files.push(...(await listFiles(path, ending)));
    else if (entry.isFile() && entry.name.endsWith(ending)) files.push(path);
  }
  return files;
}

const readCanvasName = (file: string): string => basename(file).split('.', 1)[0] ?? '';

/** `NAME.json` for `NAME.txt` and `NAME.ANYTHING.txt`: beside it, one folder up, or in `canvases/` beside its folder. */
export async function findCanvas(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const canvas = `${readCanvasName(file)}.json`;
  for (const path of [join(folder, canvas), join(folder, '..', 'canvases', canvas), join(folder, '..', canvas)]) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
