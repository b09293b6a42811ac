// Asks the operations of the document, with values that are known to be there.
import type { RouteExample } from '../../packages/server/src/platform/http/define-route.ts';
import type { InterfaceDocument } from '../../packages/server/src/operations/openapi.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation of the document, as far as requests are made from it. */
export interface Operation {
  /** Such as `GET /v1/campaigns`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly scheme: string;
  readonly contentType: string | undefined;
  readonly takesBody: boolean;
  /** What is sent where a request says nothing else. */
  readonly example: RouteExample;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  /** Whether the answer of a status has a content that can be shown. */
  readonly shows: (status: number) => boolean;
}

/** What is sent; the parts are those of the example of the route, where they are left out. */
export interface Request {
  readonly path?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  readonly isAnonymous?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Described {
  readonly security?: readonly { readonly [scheme: string]: unknown }[];
  readonly parameters?: Operation['parameters'];
  readonly requestBody?: { readonly content?: object };
  readonly responses?: { readonly [status: string]: { readonly content?: object } };
}

/** The operations of a document, in its order. */
export const listOperations = (
  { paths = {} }: InterfaceDocument,
  routes: ReadonlyMap<string, { readonly example: RouteExample }>,
): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): readonly Operation[] => {
      if (item[method] === undefined) return [];
      const { security = [], parameters = [], requestBody, responses = {} } = item[method] as Described;
      const { example = {} } = routes.get(`${method.toUpperCase()} ${path}`) ?? {};
      const [contentType] = Object.keys(requestBody?.content ?? {});
      return [
        {
          key: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          scheme: Object.keys(security[0] ?? {})[0] ?? '',
          contentType: example.contentType ?? contentType,
          example,
          takesBody: requestBody !== undefined,
          parameters,
          shows: (status) => responses[status]?.content !== undefined,
        },
      ];
    }),
  );

/** What earlier answers told, by the placeholder that the examples have for it, such as `EXECUTION_ID`. */
export type Known = Map<string, string>;

/** What answers requests. */
interface App {
  request(address: string, init: RequestInit): Response | Promise<Response>;
}

/** The headers of a credential, by the security scheme of the document. */
export type Credentials = { readonly [scheme: string]: (body: string) => { readonly [header: string]: string } };

/** Sends requests of operations to an app. */
export function createAsker(app: App, credentials: Credentials, known: Known, settle: () => Promise<void>) {
  const filled = (text: string): string => text.replace(/\b[A-Z]+_(?:ID|TOKEN)\b/g, (name) => known.get(name) ?? name);

  return async function ask(operation: Operation, request: Request = {}): Promise<Answer> {
    const { method, path, scheme, contentType, takesBody, example } = operation;
    const names = { ...example.path, ...request.path };
    const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(filled(names[name] ?? placeholder(name))));
    const query = new URLSearchParams({ ...example.query, ...request.query }).toString();
    const given = typeof example.body === 'string' || example.body === undefined ? example.body : JSON.stringify(example.body);
    const body = takesBody ? filled(request.body ?? given ?? '') : undefined;
    const headers = {
      ...(request.isAnonymous === true ? {} : credentials[scheme]?.(body ?? '')),
      ...(body !== undefined && contentType !== undefined && { 'content-type': contentType }),
      ...example.headers,
      ...request.headers,
    };
    const init = { method, headers, ...(body !== undefined && body !== '' && { body }) };
    const response = await app.request(`${address}${query === '' ? '' : `?${query}`}`, init);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      await response.body?.cancel();
      return { status: response.status, body: undefined };
    }
    const text = await response.text();
    await settle();
    return { status: response.status, body: /\bjson\b/.test(type) ? JSON.parse(text) : text };
  };
}

const placeholder = (name: string): string => (name === 'step' ? '1' : name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase());
