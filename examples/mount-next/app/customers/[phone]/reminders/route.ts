import { hilo } from '../../../../lib/hilo.ts';

/** What a customer has been reminded of: the engine's executions beside Hilo's own routes. */
export async function GET(_request: Request, { params }: { readonly params: Promise<{ readonly phone: string }> }): Promise<Response> {
  const { service } = await hilo();
  const { phone } = await params;
  const { results } = await service.store.executions.list('1', { userId: phone, limit: 10 });
  return Response.json(results.map(({ executionId, workflowId, state }) => ({ executionId, workflowId, status: state.status })));
}

export const runtime = 'nodejs';
