import type { Operation, Request } from './ask.ts';

/** Ids that nothing has. */
const nothing: { readonly [name: string]: string } = { executionId: '0'.repeat(32), companyId: '99', version: '99', step: '99999' };

/** What no other operation is refused for. */
const particular: { readonly [key: string]: Request | undefined } = {
  'POST /admin/v1/login': { body: '{"token":"another"}' },
  'PUT /admin/v1/workflows/{workflowId}': { headers: { 'if-match': '"99"' } },
  'PUT /admin/v1/workflows/{workflowId}/transcripts/{name}': { headers: { 'if-match': '"0"' } },
  'POST /admin/v1/workflows/{workflowId}/publish': { body: '{"revision":99}' },
  'DELETE /admin/v1/workflows/{workflowId}': { path: { workflowId: 'payment-once' } },
  'DELETE /admin/v1/companies/{companyId}/{kind}/{id}': { path: { kind: 'templates', id: 'tpl1' } },
};

/** Requests of an operation that a service refuses, by what is wrong with them: each is refused with some status that is documented. */
export function refusals({ path, parameters, takesBody, key }: Operation): readonly Request[] {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const asked = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  const wrongQueries = { limit: '0', companyId: 'a'.repeat(65), startAt: 'yesterday', from: 'yesterday', step: 'x' };
  return [
    { isAnonymous: true },
    ...names.toReversed().map((name): Request => ({ path: { [name]: nothing[name] ?? 'nothing' } })),
    ...(asked.has('companyId') ? [{ query: { companyId: '99' } }] : []),
    ...Object.entries(wrongQueries).flatMap(([name, value]): readonly Request[] => (asked.has(name) ? [{ query: { [name]: value } }] : [])),
    ...(takesBody ? [{ body: '{' }, { body: '[]' }, { body: '{}' }, { body: JSON.stringify({ a: 'a'.repeat(1_100_000) }) }] : []),
    ...(path.includes('/webhooks/') ? [{ query: { executionId: 'an id' } }] : []),
    ...[particular[key] ?? []].flat(),
  ];
}
