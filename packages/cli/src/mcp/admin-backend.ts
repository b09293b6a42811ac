// Management of a running service as what the authoring server works on.
import { parseJsonText } from '@hilo/engine/contract';
import type { AuthoringBackend } from '@hilo/mcp';
import type { Admin } from '../service/admin.ts';

/** @param company - named in each request, where the service has several */
export const askAdmin = (admin: Pick<Admin, 'request'>, company: string | undefined): AuthoringBackend => ({
  async ask({ method, path, body, headers }) {
    const isText = typeof body === 'string';
    const response = await admin.request(addCompany(path, company), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? parseJsonText(text) : text };
  },
});

const addCompany = (path: string, company: string | undefined): string =>
  company === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}companyId=${encodeURIComponent(company)}`;
