// The company and the bot of a workspace file for which a canvas is run.
import { dirname, join, resolve } from 'node:path';
import { Channel, contactFieldTypes, instantMs, isHiloError, JsonObject, pointer, type Problem } from '@hilo/engine/contract';
import { inWords, layTestSettings } from '@hilo/server/parts';
import type { GivenUser } from '@hilo/server/project';
import type { SimulatedCompany, SimulatedUser, SimulationOptions } from '@hilo/simulator';
import { z } from 'zod';
import { printable } from '../paint.ts';

const id = z.int().positive();
const list = <Schema extends z.ZodType>(item: Schema) => z.array(item).nullish();

/** What a run needs of a workspace file; the rest is for the server. */
const Workspace = z.object({
  companies: z
    .array(
      z.object({
        id: id.optional(),
        name: z.string().optional(),
        plan: z.string().optional(),
        kind: z.string().optional(),
        timeZone: z.string().nullish(),
        locale: z.string().nullish(),
        settings: JsonObject.optional(),
        fields: list(z.object({ key: z.string(), type: z.enum(contactFieldTypes), options: list(z.string()) })),
        bots: list(z.object({ id: z.string(), name: z.string(), channel: Channel, connectedAt: z.string().optional() })),
        templates: list(
          z.object({
            id: z.string(),
            botId: z.string(),
            elementName: z.string(),
            language: z.string(),
            status: z.string(),
            body: z.string().nullish(),
            components: z.union([z.array(JsonObject), JsonObject]).nullish(),
          }),
        ),
        teams: list(z.object({ id, name: z.string() })),
        operators: list(z.object({ id, teamIds: list(id) })),
        tags: list(z.object({ id })),
        rooms: list(z.object({ botId: z.string(), userId: z.string(), tags: list(id) })),
        conversations: list(z.object({ userId: z.string(), operatorId: id.nullish(), state: z.string() })),
      }),
    )
    .min(1),
});
type WorkspaceCompany = z.output<typeof Workspace>['companies'][number];

/** The company, the bot and the user of a run, as a workspace file has them. */
export interface FoundCompany {
  /** The workspace file. */
  readonly file: string;
  readonly company: SimulatedCompany;
  /** The company's bot of the channel. */
  readonly bot?: Required<SimulationOptions>['bot'];
  /** The user of the script, where the workspace has them. */
  readonly user?: SimulatedUser;
}

/** The conversation for which a company is looked up. */
export interface Talk {
  readonly channel: Channel;
  readonly userId: string;
}

/**
 * The first company of a workspace file: of the named one, or of a `workspace.json` in the canvas's folder or its parent.
 *
 * @throws {Error} when the named file cannot be read, or a file is no workspace
 */
export async function findCompany(canvasFile: string, workspaceFile: string | undefined, talk: Talk): Promise<FoundCompany | undefined> {
  const folder = dirname(resolve(canvasFile));
  const candidates =
    workspaceFile === undefined ? [join(folder, 'workspace.json'), join(dirname(folder), 'workspace.json')] : [workspaceFile];
  for (const file of candidates) {
    const read = await readInput(file, talk.userId);
    if ('input' in read) {
      if (read.problem !== undefined) throw noWorkspace(file, `${read.problem.message} at ${read.problem.pointer}`);
      return { file, ...describe(readFirst(read.input, file), talk, read.user) };
    }
    const { code, message } = read.problem;
    if (code !== 'FILE_UNREADABLE') throw noWorkspace(file, message);
    if (workspaceFile !== undefined) throw new Error(`The workspace ${printable(message)}`);
  }
  return undefined;
}

type ReadInput =
  | { readonly input: unknown; readonly user: GivenUser | undefined; readonly problem: Problem | undefined }
  | { readonly problem: Pick<Problem, 'code' | 'message'> };

/** The content of a workspace file, and of its users the one of this id. */
async function readInput(file: string, userId: string): Promise<ReadInput> {
  try {
    const { readWorkspace } = await import('@hilo/server/project'); // loads what only a workspace needs
    const { input, users } = await readWorkspace(file);
    const user = users.find(0, userId);
    users.close();
    return { input, user, problem: users.problems[0] };
  } catch (error) {
    const problem = isHiloError(error, 'WORKSPACE_REFUSED') ? error.details.problems[0] : undefined;
    if (problem === undefined) throw error;
    return { problem };
  }
}

function readFirst(workspace: unknown, file: string): WorkspaceCompany {
  const { data, error } = Workspace.safeParse(workspace, { error: inWords });
  const [first] = data?.companies ?? [];
  if (first !== undefined) return first;
  const { message = '', path = [] } = error?.issues[0] ?? {};
  throw noWorkspace(file, `${message} at ${pointer(path) || 'its beginning'}`);
}

/** A company in the terms of the simulator. */
function describe(found: WorkspaceCompany, { channel, userId }: Talk, user: GivenUser | undefined): Omit<FoundCompany, 'file'> {
  const { id: number, name, plan, kind, timeZone, locale, settings, fields } = found;
  const bot = findBot(found, channel);
  return {
    company: {
      ...(number !== undefined && { id: String(number) }),
      ...(name !== undefined && { name }),
      ...(plan !== undefined && { plan }),
      ...(kind !== undefined && { kind }),
      ...(typeof timeZone === 'string' && { timeZone }),
      ...(typeof locale === 'string' && { locale }),
      ...(settings !== undefined && { settings: layTestSettings(settings) }),
      ...(fields && { fields: fields.map(({ key, type, options }) => ({ key, type, ...(options && { options }) })) }),
      directory: describeDirectory(found, userId),
    },
    ...(bot !== undefined && { bot: { id: bot.id, name: bot.name } }),
    ...(user !== undefined && {
      user: describeUser(
        user,
        found.rooms?.find((room) => room.userId === userId && room.botId === bot?.id),
      ),
    }),
  };
}

/** The most recently connected bot of a channel; of two, the one with the higher id (VER-03). */
function findBot({ bots }: WorkspaceCompany, channel: Channel) {
  const connectedMs = ({ connectedAt = '' }: { readonly connectedAt?: string | undefined }): number => instantMs(connectedAt) ?? 0;
  return bots
    ?.filter((bot) => bot.channel === channel)
    .toSorted((left, right) => connectedMs(right) - connectedMs(left) || (left.id < right.id ? 1 : -1))[0];
}

/** A list that the file leaves out is not looked at: then everything is found. */
const describeDirectory = (
  { templates, teams, operators, tags, conversations }: WorkspaceCompany,
  userId: string,
): NonNullable<SimulatedCompany['directory']> => ({
  ...(Array.isArray(templates) && {
    templates: templates.map(({ body, components, ...template }) => ({
      ...template,
      body: body ?? undefined,
      components: components ?? undefined,
    })),
  }),
  ...(Array.isArray(teams) && { teams }),
  ...(Array.isArray(operators) && {
    operators: operators.map((operator) => ({
      id: operator.id,
      teams: operator.teamIds ?? [],
      load: (conversations ?? []).filter((one) => one.state === 'active' && one.operatorId === operator.id && one.userId !== userId).length,
    })),
  }),
  ...(Array.isArray(tags) && { tags }),
});

/** As an import makes them known to the bot. */
const describeUser = (
  { id: userId, names, phone, bsuid, timeZone, locale }: GivenUser,
  room: { readonly tags?: readonly number[] | null | undefined } | undefined,
): SimulatedUser => ({
  id: userId,
  isKnown: true,
  ...(names !== undefined && { names }),
  ...(phone !== undefined && { phone }),
  ...(bsuid !== undefined && { bsuid }),
  ...(timeZone !== undefined && { timeZone }),
  ...(locale !== undefined && { locale }),
  tags: room?.tags ?? [],
});

const noWorkspace = (file: string, reason: string): Error => new Error(`${printable(file)} is no workspace: ${printable(reason)}`);

/** The plans of the specification. */
export const plans = ['free', 'builder', 'growth', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** A company with another plan; the plans but `enterprise` are those of self-service companies (TMO-01). */
export const withPlan = (company: SimulatedCompany, plan: Plan | undefined): SimulatedCompany =>
  plan === undefined ? company : { ...company, plan, kind: plan === 'enterprise' ? 'enterprise' : 'self-service' };
