import { hilo } from '../../../lib/hilo.ts';

/** Hilo's webhooks: a route handler of Next.js takes a web standard request and gives a web standard response, as the gateway does. */
async function handle(request: Request): Promise<Response> {
  const { gateway } = await hilo();
  return gateway.fetch(request);
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
