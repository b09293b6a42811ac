import type { RouteExample } from '../platform/http/define-route.ts';

/** The parts of an operation of OpenAPI that a command is made from. */
interface Operation {
  readonly security?: readonly { readonly [scheme: string]: unknown }[];
  readonly requestBody?: unknown;
}

const address = 'http://127.0.0.1:3000';

/** curl flags for each security scheme of the document, with the credentials of the example workspace. */
const credentials: { readonly [scheme: string]: (body: string) => string } = {
  apiKey: () => `-H 'x-api-key: hk_acme_0123456789abcdef'`,
  platformKey: () => `-H 'Authorization: Bearer hk_acme_0123456789abcdef'`,
  basic: () => `-u 'acme-client:s3c:ret-of-acme'`,
  adminToken: () => `-H "Authorization: Bearer $(cat data/admin.token)"`,
  providerSignature: (body) =>
    `-H "X-Hub-Signature-256: sha256=$(printf %s ${quoteShell(body)} | openssl dgst -sha256 -hmac inbound-secret-wa -r | cut -c 1-64)"`,
  visitor: () => `-H "Authorization: Bearer $(curl -sS -X POST ${address}/chat/bot_chat/session | cut -d '"' -f 4)"`,
  stripeSignature: () => `-H 'Stripe-Signature: t=TIME,v1=SIGNATURE'`,
};

/**
 * The curl command of a route's example request, for the service of `npm start` with its example workspace. Placeholders are in
 * capitals.
 */
export function writeCurlCommand(method: string, path: string, { security = [], requestBody }: Operation, example: RouteExample): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(example.path?.[name] ?? toPlaceholder(name)));
  const query = new URLSearchParams(example.query).toString();
  const body = requestBody === undefined || example.body === undefined ? undefined : formatBody(example.body);
  const [scheme = ''] = Object.keys(security[0] ?? {});
  const verb = method.toUpperCase();
  const parts = [
    'curl -sS',
    verb === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${verb}`,
    quoteShell(`${address}${filled}${query === '' ? '' : `?${query}`}`),
    credentials[scheme]?.(body ?? '') ?? '',
    ...Object.entries(example.headers ?? {}).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    body === undefined ? '' : `-H 'content-type: ${example.contentType ?? findContentType(requestBody)}' -d ${quoteShell(body)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const formatBody = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

function findContentType(requestBody: unknown): string {
  const content = (requestBody as { readonly content?: object }).content ?? {};
  return Object.keys(content)[0] ?? 'application/json';
}

/** Inside single quotes a shell reads everything as it is, but a single quote. */
const quoteShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const toPlaceholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
