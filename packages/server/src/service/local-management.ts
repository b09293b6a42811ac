// Management by commands of the same machine.
import { createHmac, randomUUID } from 'node:crypto';
import { parseJsonObject } from '@hilo/engine';
import { isHiloError } from '@hilo/engine/contract';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { limitTextBody } from '../platform/http/read-body.ts';
import { createTraffic } from '../platform/http/traffic.ts';
import { createManagement } from './app.ts';
import { type Caller, nameCommandLine } from '../audit/audit.ts';
import { recordAct } from '../audit/record-acts.ts';
import { createChannels } from '../channels/routes.ts';
import { requireFile } from '../platform/http/require-file.ts';
import { invalidInput, invalidRequest, notFound } from '../platform/http/errors.ts';
import { problemsRefused } from '../platform/http/admin.ts';
import type { RunningService } from './open-service.ts';
import { MoveCommand, type MoveAnswer, performMove } from '../tenants/moving/move-files.ts';
import { placeStore } from '../platform/database/store-place.ts';

/** Identifies the store of a service: a command talks only to a service with the store that it was given. */
export const ServedStore = z.object({ store: z.string() });

/** A workspace file on this machine: it may be larger than a body, and names other files. */
export const WorkspaceFile = z.object({ file: z.string(), overwrite: z.boolean().default(true) });
export type WorkspaceFile = z.input<typeof WorkspaceFile>;

/**
 * Management for commands on the same machine. It asks for no token: a process that may connect to the socket may read the token
 * file too.
 */
export function createLocalManagement(service: RunningService): Hono<HttpEnv> {
  const traffic = createTraffic(service);
  const caller: Caller = { actor: nameCommandLine(), via: 'socket' };
  const app = withErrorHandler(new Hono<HttpEnv>(), service);
  app.use(envelope(service, traffic, 'management'));
  for (const own of ['/store', '/import', '/moves', '/say']) app.use(own, limitTextBody(traffic.admission));
  app.get('/store', (c) => c.json({ store: placeStore(service.settings).name } satisfies z.output<typeof ServedStore>));
  app.post('/import', async (c) => {
    const { file, overwrite } = await readCommand(c, WorkspaceFile);
    await requireFile(file);
    try {
      const importing = () => service.importWorkspace(file, undefined, { overwrite });
      return c.json(await recordAct(service, { ...caller, action: 'importWorkspace' }, { kind: 'file', id: file }, importing));
    } catch (error) {
      throw isHiloError(error, 'WORKSPACE_REFUSED') ? problemsRefused(error.details.problems) : error;
    }
  });
  app.post('/moves', async (c) => c.json((await recordMove(service, caller, await readCommand(c, MoveCommand))) satisfies MoveAnswer));
  const channels = createChannels(service, traffic);
  app.post('/say', async (c) => {
    const given = await readCommand(c, SaidMessage);
    const bot = service.companies.bot(given.botId);
    if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${given.botId}"`);
    const { kind, fields } = bot.provider;
    const appSecret = fields['appSecret'];
    if ((kind !== 'log' && kind !== 'custom') || typeof appSecret !== 'string')
      throw invalidRequest(
        `Bot "${given.botId}" is of the kind ${kind}: only bots of the kinds log and custom with an appSecret take messages so`,
      );
    return channels.fetch(deliveryOf(given, appSecret, 'http://localhost'));
  });
  return app.route('/admin/v1', createManagement(service, caller, traffic.admission));
}

/** What a command asks, of whoever can open the socket: another program's words are refused in ours. @throws {HttpError} 400, 422 */
async function readCommand<Schema extends z.ZodType>({ req }: Pick<Context<HttpEnv>, 'req'>, schema: Schema): Promise<z.output<Schema>> {
  const read = schema.safeParse(parseJsonObject(await req.text()));
  if (!read.success) throw invalidInput(read.error);
  return read.data;
}

/** Performs a step of a move, on record unless it only looks. */
export function recordMove(service: RunningService, caller: Caller, command: MoveCommand): Promise<MoveAnswer> {
  const performing = () => performMove(service.moves, command);
  if (command.do === 'list') return performing();
  const on =
    'companyId' in command ? { companyId: command.companyId, kind: 'company', id: command.companyId } : { kind: 'file', id: command.file };
  return recordAct(service, { ...caller, action: `moveCompany.${command.do}` }, on, performing);
}

/** A text that a user writes to a bot. */
export const SaidMessage = z.object({ botId: z.string().min(1), userId: z.string().min(1), text: z.string().min(1) });
export type SaidMessage = z.output<typeof SaidMessage>;

/** A delivery of a user's text, signed as the server of a `custom` bot signs it. @param origin - where the service is */
export function deliveryOf({ botId, userId, text }: SaidMessage, appSecret: string, origin: string): Request {
  const id = randomUUID();
  const event = { eventId: id, botId, user: { id: userId }, message: { id, type: 'text', text }, receivedAt: new Date().toISOString() };
  const body = JSON.stringify(event);
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return new Request(`${origin}/channels/${encodeURIComponent(botId)}/webhook`, { method: 'POST', body, headers });
}
