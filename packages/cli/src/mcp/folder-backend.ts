// A folder of canvases that answers as management does, for a coding agent that works on the files of a project without a service.
// A canvas is `NAME.json` in the folder or in `canvases`, its transcripts are `NAME.txt` and `NAME.ANYTHING.txt` beside it or in
// `transcripts`. Nothing outside of these folders is read or written, and nothing is published.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseCanvas, checkCanvasText } from '@hilo/engine';
import { describeCanvas } from '@hilo/engine/authoring';
import { type Canvas, isWorkflowId, type Problem } from '@hilo/engine/contract';
import type { AuthoringBackend, BackendAnswer, BackendRequest } from '@hilo/mcp';
import { type CompleteParts, performedEffects } from '@hilo/server/parts';
import { readCanvasFile } from '../canvas-file.ts';
import { collectCalled } from '../neighbours.ts';
import { judgeCallersAmong, resolveAmong } from '../tools-beside.ts';
import { replaceFile } from '../write-result.ts';

/** @throws {Error} for what is no folder that can be read */
export async function openFolder(folder: string, parts: CompleteParts): Promise<AuthoringBackend> {
  await readdir(folder).catch((error: unknown) => {
    throw new Error(`${folder} is no folder that can be read`, { cause: error });
  });
  const routes = createRoutes(folder, parts);
  return {
    async ask(request) {
      const { pathname, searchParams } = new URL(request.path, 'http://folder');
      for (const { method, pattern, answer } of routes) {
        const found = method === request.method ? pattern.exec(pathname) : null;
        if (found !== null) return answer(found.slice(1).map(decodeURIComponent), request, searchParams);
      }
      return refuse(404, 'NO_SERVICE', 'This needs a service: the tools work on a folder of canvases here. Start one with "hilo serve"');
    },
  };
}

interface Route {
  readonly method: BackendRequest['method'];
  readonly pattern: RegExp;
  readonly answer: (params: readonly string[], request: BackendRequest, query: URLSearchParams) => Promise<BackendAnswer>;
}

const done = (body: unknown): BackendAnswer => ({ status: 200, body });
const refuse = (status: number, error: string, message: string, more: object = {}): BackendAnswer => ({
  status,
  body: { error, message, ...more },
});
const notThere = (id: string): BackendAnswer =>
  refuse(404, 'WORKFLOW_NOT_FOUND', `There is no workflow ${JSON.stringify(id)} in this folder`);

function createRoutes(folder: string, parts: CompleteParts): readonly Route[] {
  const { nodes } = parts;
  const files = createCanvasFiles(folder);
  /** The problems of a canvas as if those of the folder were published with it: its own, and those for the agents of the others that call it. */
  const check = async (text: string, known: KnownFiles): Promise<readonly Problem[]> => {
    const others = new Map([...known].map(([id, found]) => [id, found.canvas] as const));
    const { canvas } = parseCanvas(text);
    const among = canvas === undefined ? others : new Map([...others, [canvas.id as string, canvas]]);
    const published = [...among].map(([workflowId, one]) => ({ workflowId, canvas: one }));
    const own = checkCanvasText(text, { nodes, effects: performedEffects(parts), resolve: resolveAmong(among, nodes), published });
    return canvas === undefined ? own : [...own, ...(await judgeCallersAmong(canvas, others, nodes))];
  };
  /** Conversations that lead to the problems of a canvas, with those of the folder that it calls. */
  const findDialogues = async (text: string, problems: readonly Problem[]) => {
    const { canvas } = parseCanvas(text);
    if (canvas === undefined) return [];
    const { dialoguesOf } = await import('@hilo/simulator'); // for who asks for them
    const known = await files.list();
    return dialoguesOf([canvas, ...collectCalled(canvas, (id) => known.get(id)?.canvas, nodes)], problems, {
      channel: 'whatsapp',
      ...parts,
    });
  };
  const describe = async ({ canvas, text, revision }: FoundFile, known: KnownFiles) => ({
    workflowId: canvas.id,
    canvas,
    revision,
    publishedVersion: null,
    problems: await check(text, known),
  });
  const route = (method: Route['method'], pattern: RegExp, answer: Route['answer']): Route => ({ method, pattern, answer });
  const onWorkflow = (
    method: Route['method'],
    rest: string,
    answer: (found: FoundFile, params: readonly string[], body: BackendRequest['body'], known: KnownFiles) => Promise<BackendAnswer>,
  ) =>
    route(method, new RegExp(`^/workflows/([^/]{1,400})${rest}$`), async (params, { body }) => {
      const [id = ''] = params;
      const known = await files.list();
      const found = known.get(id);
      return found === undefined ? notThere(id) : answer(found, params, body, known);
    });

  return [
    route('GET', /^\/workflows$/, async (_params, _request, query) => {
      const results = await listWorkflows(await files.list(), query.get('q')?.toLowerCase(), describe);
      return done({ results, nextCursor: null });
    }),
    onWorkflow('GET', '', async (found, _params, _body, known) => done(await describe(found, known))),
    route('PUT', /^\/workflows\/([^/]{1,400})$/, async ([id = ''], { body, headers = {} }) => save(files, id, body, headers, describe)),
    onWorkflow('GET', '/transcripts', async (found) =>
      done({ results: [...(await files.transcripts(found)).keys()].map((name) => ({ name })), nextCursor: null }),
    ),
    onWorkflow('GET', '/transcripts/([^/]{1,400})', async (found, [, name = '']) => {
      const file = (await files.transcripts(found)).get(name);
      return file === undefined ? refuse(404, 'TRANSCRIPT_NOT_FOUND', 'There is no such transcript') : done(await readFile(file, 'utf8'));
    }),
    onWorkflow('PUT', '/transcripts/([^/]{1,400})', async (found, [, name = ''], body) => {
      await files.saveTranscript(found, name, typeof body === 'string' ? body : '');
      return done({ name });
    }),
    onWorkflow('POST', '/publish', async () =>
      refuse(409, 'PUBLISH_REFUSED', 'A folder of canvases publishes nothing: import it into a service, with "hilo import"'),
    ),
    route('POST', /^\/validate$/, async (_params, { body }, query) => {
      const text = JSON.stringify(body);
      const problems = await check(text, await files.list());
      const dialogues = query.get('dialogues') === 'true' ? await findDialogues(text, problems) : [];
      return done({
        ok: problems.every(({ severity }) => severity !== 'error'),
        problems: problems.map((problem, index) => ({ ...problem, dialogue: dialogues[index] ?? null })),
      });
    }),
    route('POST', /^\/describe$/, async (_params, { body }) => done(describeCanvas(JSON.stringify(body), { nodes }))),
  ];
}

type Describe = (found: FoundFile, known: KnownFiles) => Promise<{ readonly canvas: Canvas; readonly problems: readonly Problem[] }>;

/** The canvases of the folder whose name or id has a text, without their content. */
async function listWorkflows(known: KnownFiles, wanted: string | undefined, describe: Describe): Promise<readonly object[]> {
  const results: object[] = [];
  for (const found of known.values()) {
    const { name, id, kind } = found.canvas;
    if (wanted !== undefined && !`${name} ${id}`.toLowerCase().includes(wanted)) continue;
    const { canvas: _canvas, problems, ...others } = await describe(found, known);
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    results.push({ ...others, name, kind, isPublished: false, errors, warnings: problems.length - errors });
  }
  return results;
}

/** Saves a canvas where what is kept is what its author read. */
async function save(
  files: CanvasFiles,
  id: string,
  body: BackendRequest['body'],
  headers: Readonly<Record<string, string>>,
  describe: (found: FoundFile, known: KnownFiles) => Promise<object>,
): Promise<BackendAnswer> {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  const { canvas, problems } = parseCanvas(text);
  if (canvas === undefined || !isWorkflowId(id))
    return refuse(422, 'VALIDATION_FAILED', `This is no canvas: ${problems[0]?.message ?? 'its id is not valid'}`, { problems });
  if (canvas.id !== id)
    return refuse(
      400,
      'INVALID_REQUEST',
      `The canvas has the id ${JSON.stringify(canvas.id)}, and is to be saved as ${JSON.stringify(id)}`,
    );
  const kept = (await files.list()).get(id);
  const expected = headers['if-none-match'] === '*' ? undefined : headers['if-match']?.replaceAll('"', '');
  if (kept?.revision !== expected)
    return refuse(412, 'DRAFT_CHANGED', 'The file has changed since', {
      draft: kept?.canvas ?? null,
      revision: kept?.revision ?? 0,
      savedBy: null,
    });
  await files.save(id, text, kept);
  const known = await files.list();
  const saved = known.get(id);
  return saved === undefined ? notThere(id) : done(await describe(saved, known));
}

/** A canvas with its file. */
interface FoundFile {
  readonly file: string;
  readonly text: string;
  readonly canvas: Canvas;
  /** It changes with every byte of the file. */
  readonly revision: string;
}

type KnownFiles = ReadonlyMap<string, FoundFile>;

type CanvasFiles = ReturnType<typeof createCanvasFiles>;

function createCanvasFiles(folder: string) {
  const [canvasFolder, transcriptFolder] = ['canvases', 'transcripts'].map((name) => join(folder, name)) as [string, string];
  const listEnding = async (within: string, ending: string): Promise<readonly string[]> => {
    const entries = await readdir(within, { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isFile() && entry.name.endsWith(ending) ? [join(within, entry.name)] : [])).sort();
  };
  const nameOf = ({ file }: Pick<FoundFile, 'file'>): string => basename(file, '.json');

  return {
    async list(): Promise<KnownFiles> {
      const found = new Map<string, FoundFile>();
      for (const file of [...(await listEnding(folder, '.json')), ...(await listEnding(canvasFolder, '.json'))]) {
        const read = await readCanvasFile(file);
        const { canvas } = read.kind === 'text' ? parseCanvas(read.text) : {};
        if (read.kind !== 'text' || canvas === undefined || found.has(canvas.id)) continue;
        const revision = createHash('sha256').update(read.text).digest('hex').slice(0, 12);
        found.set(canvas.id, { file, text: read.text, canvas, revision });
      }
      return found;
    },
    /** Whole or not at all: a file that is half written would be no canvas. */
    async save(id: string, text: string, kept: FoundFile | undefined): Promise<void> {
      const file = kept?.file ?? join(existsSync(canvasFolder) ? canvasFolder : folder, `${id.replaceAll(':', '_')}.json`);
      await replaceFile(file, text);
    },
    /** The files of transcripts by name: `main` for `NAME.txt`. */
    async transcripts(found: FoundFile): Promise<ReadonlyMap<string, string>> {
      const files = [...(await listEnding(join(found.file, '..'), '.txt')), ...(await listEnding(transcriptFolder, '.txt'))];
      const name = nameOf(found);
      return new Map(
        files.flatMap((file): (readonly [string, string])[] => {
          const own = basename(file, '.txt');
          return own === name ? [['main', file]] : own.startsWith(`${name}.`) ? [[own.slice(name.length + 1), file]] : [];
        }),
      );
    },
    async saveTranscript(found: FoundFile, name: string, text: string): Promise<void> {
      const own = name === 'main' ? `${nameOf(found)}.txt` : `${nameOf(found)}.${name}.txt`;
      const file =
        (await this.transcripts(found)).get(name) ?? join(existsSync(transcriptFolder) ? transcriptFolder : join(found.file, '..'), own);
      await replaceFile(file, text);
    },
  };
}
