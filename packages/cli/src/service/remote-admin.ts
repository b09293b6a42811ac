import { deliveryOf } from '@hilo/server/kit';
import { withProgress } from '../progress.ts';
import type { Admin } from './admin.ts';
import { answered, requestOf, summaryOf } from './admin-answer.ts';
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
    importWorkspace: async (file) => summaryOf(file, ask('POST', '/workspace', await selfContained(file))),
    async say(message) {
      const appSecret = process.env['HILO_APP_SECRET'];
      if (appSecret === undefined || appSecret === '') throw new Error('With --url the appSecret of the bot is read from HILO_APP_SECRET');
      return answered(await withProgress(`Asking ${origin}`, fetch(deliveryOf(message, appSecret, origin))));
    },
    close: async () => {},
  };
}

/** `fetch` says that it failed; what failed is its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message || cause.name : String(error);
}
