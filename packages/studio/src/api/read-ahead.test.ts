import { describe, expect, it } from 'vitest';
import { createHiloClient } from './client.ts';
import { readAhead } from './read-ahead.ts';

/** A service that keeps what it was asked for. */
function askedService(status = 200) {
  const asked: string[] = [];
  const client = createHiloClient({
    fetch: async (input) => {
      const url = input instanceof Request ? input.url : input.toString();
      asked.push(url.replace('/admin/v1/', ''));
      const body = url.includes('nodes') ? { results: [] } : { canvas: { id: 'order', name: 'Order', nodes: [], edges: [] } };
      return Response.json(status === 200 ? body : { error: 'UNAUTHORIZED', message: 'Log in' }, { status });
    },
  });
  return { client, asked };
}
const editor = { companyId: '1', view: { screen: 'editor', workflowId: 'order' } } as const;

describe('reading ahead', () => {
  it('asks at once for what an editor needs, and answers its first calls with it', async () => {
    const { client, asked } = askedService();
    const ahead = readAhead(client, editor);
    expect(asked).toEqual(['nodes', 'workflows/order?companyId=1']);
    await ahead.nodes();
    expect((await ahead.draft('1', 'order')).canvas.id).toBe('order');
    expect(asked).toHaveLength(2);
    await ahead.nodes();
    await ahead.draft('1', 'order');
    expect(asked).toHaveLength(4);
  });

  it('answers for no other workflow or company, and for no draft that may be old', async () => {
    const { client, asked } = askedService();
    for (const [companyId, workflowId] of [
      ['2', 'order'],
      ['1', 'another'],
    ] as const) {
      asked.length = 0;
      const ahead = readAhead(client, editor);
      await ahead.draft(companyId, workflowId);
      await ahead.draft('1', 'order');
      expect(asked).toHaveLength(4);
    }
  });

  it('asks for no draft where no editor is opened', () => {
    const { client, asked } = askedService();
    readAhead(client, { companyId: '1', view: { screen: 'workflows' } });
    readAhead(client, { companyId: undefined, view: { screen: 'workflows' } });
    expect(asked).toEqual(['nodes', 'nodes']);
  });

  it('tells a failure to the call that it answers', async () => {
    const { client } = askedService(401);
    await expect(readAhead(client, editor).draft('1', 'order')).rejects.toMatchObject({ status: 401 });
  });
});
