import type { Problem } from '@hilo/engine/contract';
import { z } from 'zod';
import type { ImportSummary } from '../../workspace/import-workspace.ts';
import { WorkspaceRefused } from '../../workspace/problems.ts';
import { withProgress } from '../progress.ts';
import type { Admin } from './admin.ts';
import { AdminRefused, answered, requestOf } from './admin-answer.ts';
import { selfContained } from './self-contained.ts';

/** Asks a server that runs. @param origin - such as `http://127.0.0.1:3000` */
export function openRemoteAdmin(origin: string, adminToken: string | undefined): Admin {
  const ask: Admin['ask'] = async (method, path, body) => {
    const asking = fetch(`${origin}/admin/v1${path}`, requestOf(method, body, adminToken)).catch((error: unknown) => {
      throw new Error(`No server answers at ${origin}: ${reasonOf(error)}`, { cause: error });
    });
    return answered(await withProgress(`Asking ${origin}`, asking));
  };
  return {
    ask,
    async importWorkspace(file) {
      const workspace = await selfContained(file);
      try {
        return Summary.parse(await ask('POST', '/workspace', workspace));
      } catch (error) {
        const { data } = Refused.safeParse(error instanceof AdminRefused ? error.body : undefined);
        throw data === undefined ? error : new WorkspaceRefused(file, data.problems);
      }
    },
    close: async () => {},
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const Summary = z.custom<ImportSummary>((value) => isObject(value) && 'counts' in value);
const Refused = z.object({ problems: z.array(z.custom<Problem>((value) => isObject(value) && 'pointer' in value)) });

/** `fetch` says that it failed; what failed is its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message || cause.name : String(error);
}
