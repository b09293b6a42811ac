import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { JsonObject } from '@hilo/engine/contract';
import type { SimulatedCompany } from '@hilo/testing';
import { z } from 'zod';

/** What a run needs of a workspace file; the rest is for the server. */
const Workspace = z.object({
  companies: z
    .array(
      z.object({ name: z.string().optional(), plan: z.string().optional(), kind: z.string().optional(), settings: JsonObject.optional() }),
    )
    .min(1),
});

/** The company a canvas runs for, and where it is described. */
export interface FoundCompany {
  readonly file: string;
  readonly company: SimulatedCompany;
}

/**
 * The first company of a workspace file: of the one named, or of a `workspace.json` in the canvas's folder or the one
 * above it.
 *
 * @throws {Error} when the file named cannot be read, or any of them is none
 */
export async function companyFor(canvasFile: string, workspaceFile: string | undefined): Promise<FoundCompany | undefined> {
  const folder = dirname(resolve(canvasFile));
  const candidates =
    workspaceFile === undefined ? [join(folder, 'workspace.json'), join(dirname(folder), 'workspace.json')] : [workspaceFile];
  for (const file of candidates) {
    const text = await textOf(file);
    if (text !== undefined) return { file, company: firstCompany(text, file) };
  }
  if (workspaceFile !== undefined) throw new Error(`The workspace ${workspaceFile} cannot be read`);
  return undefined;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

function firstCompany(text: string, file: string): SimulatedCompany {
  const { data, error } = Workspace.safeParse(parsed(text));
  if (data === undefined)
    throw new Error(
      `The workspace ${file} is none: ${error.issues[0]?.message ?? ''} at ${error.issues[0]?.path.join('.') || 'its beginning'}`,
    );
  const { plan, kind, settings } = data.companies[0] ?? {};
  return { ...(plan !== undefined && { plan }), ...(kind !== undefined && { kind }), ...(settings !== undefined && { settings }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The plans of the specification. */
export const plans = ['free', 'builder', 'growth', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** A company with another plan; the plans but `enterprise` are those of self-service companies (TMO-01). */
export const withPlan = (company: SimulatedCompany, plan: Plan | undefined): SimulatedCompany =>
  plan === undefined ? company : { ...company, plan, kind: plan === 'enterprise' ? 'enterprise' : 'self-service' };
