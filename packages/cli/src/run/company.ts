import { dirname, join, resolve } from 'node:path';
import { JsonObject, pointer, type Problem, isHiloError } from '@hilo/engine/contract';
import { inWords, readWorkspace } from '@hilo/server/project';
import type { SimulatedCompany } from '@hilo/simulator';
import { z } from 'zod';
import { printable } from '../paint.ts';

/** What a run needs of a workspace file; the rest is for the server. */
const Workspace = z.object({
  companies: z
    .array(
      z.object({
        name: z.string().optional(),
        plan: z.string().optional(),
        kind: z.string().optional(),
        timeZone: z.string().nullish(),
        locale: z.string().nullish(),
        settings: JsonObject.optional(),
      }),
    )
    .min(1),
});

/** The company a canvas runs for, and where it is described. */
export interface FoundCompany {
  readonly file: string;
  readonly company: SimulatedCompany;
}

/**
 * The first company of a workspace file: of the named one, or of a `workspace.json` in the canvas's folder or its parent.
 *
 * @throws {Error} when the named file cannot be read, or a file is no workspace
 */
export async function findCompany(canvasFile: string, workspaceFile: string | undefined): Promise<FoundCompany | undefined> {
  const folder = dirname(resolve(canvasFile));
  const candidates =
    workspaceFile === undefined ? [join(folder, 'workspace.json'), join(dirname(folder), 'workspace.json')] : [workspaceFile];
  for (const file of candidates) {
    const read = await readInput(file);
    if ('input' in read) return { file, company: firstCompany(read.input, file) };
    const { code, message } = read.problem;
    if (code !== 'FILE_UNREADABLE') throw noWorkspace(file, message);
    if (workspaceFile !== undefined) throw new Error(`The workspace ${printable(message)}`);
  }
  return undefined;
}

/** The content of a workspace file without its users, which a run does not need. */
async function readInput(file: string): Promise<{ readonly input: unknown } | { readonly problem: Pick<Problem, 'code' | 'message'> }> {
  try {
    const { input, users } = await readWorkspace(file);
    users.close();
    return { input };
  } catch (error) {
    const problem = isHiloError(error, 'WORKSPACE_REFUSED') ? error.details.problems[0] : undefined;
    if (problem === undefined) throw error;
    return { problem };
  }
}

function firstCompany(workspace: unknown, file: string): SimulatedCompany {
  const { data, error } = Workspace.safeParse(workspace, { error: inWords });
  if (data === undefined) {
    const { message = '', path = [] } = error.issues[0] ?? {};
    throw noWorkspace(file, `${message} at ${pointer(path) || 'its beginning'}`);
  }
  const { plan, kind, timeZone, locale, settings } = data.companies[0] ?? {};
  return {
    ...(plan !== undefined && { plan }),
    ...(kind !== undefined && { kind }),
    ...(typeof timeZone === 'string' && { timeZone }),
    ...(typeof locale === 'string' && { locale }),
    ...(settings !== undefined && { settings }),
  };
}

const noWorkspace = (file: string, reason: string): Error => new Error(`${printable(file)} is no workspace: ${printable(reason)}`);

/** The plans of the specification. */
export const plans = ['free', 'builder', 'growth', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** A company with another plan; the plans but `enterprise` are those of self-service companies (TMO-01). */
export const withPlan = (company: SimulatedCompany, plan: Plan | undefined): SimulatedCompany =>
  plan === undefined ? company : { ...company, plan, kind: plan === 'enterprise' ? 'enterprise' : 'self-service' };
