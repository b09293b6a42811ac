import { type Canvas, type JsonObject, parsePath, type Path } from '@hilo/engine/contract';
import { z } from 'zod';

/** The subject of the example: a user for a new execution, or the execution to resume. */
export type ExampleFor = { readonly userId: string } | { readonly execution: string };

const WebhookData = z.object({
  variableName: z.string().catch(''),
  methods: z.array(z.string()).catch([]),
  userIdPath: z.string().optional().catch(undefined),
  executionIdPath: z.string().optional().catch(undefined),
});

/** A request to a webhook, as an example. */
export interface ExampleRequest {
  readonly nodeId: string;
  readonly method: string;
  readonly body?: JsonObject;
  readonly query?: { readonly [name: string]: string };
}

/** A request that the canvas's webhook accepts; `undefined` without a webhook, or without methods. */
export function exampleRequest(canvas: Canvas, example: ExampleFor): ExampleRequest | undefined {
  const node = canvas.nodes.find(({ type }) => type === 'webhook');
  const { variableName, methods, userIdPath, executionIdPath } = WebhookData.parse(node?.data ?? {});
  const method = methods.includes('POST') ? 'POST' : methods[0];
  if (node === undefined || method === undefined) return undefined;

  const body: Tree = new Map();
  const [path, name, value] =
    'userId' in example ? [userIdPath, 'userId', example.userId] : [executionIdPath, 'executionId', example.execution];
  const steps = path === undefined ? undefined : parsePath(path);
  const isNeeded = canvas.kind === 'skill' || 'execution' in example; // a tool has no user
  if (steps !== undefined && isNeeded) setText(body, steps, value);
  for (const steps of fieldsRead(canvas, variableName)) setText(body, steps, String(steps.at(-1)));
  if (method === 'GET' || method === 'DELETE') return { nodeId: node.id, method, query: { [name]: value } };
  return { nodeId: node.id, method, body: toObject(body), ...(steps === undefined && isNeeded && { query: { [name]: value } }) };
}

/** The arguments of `/webhook` that the canvas's webhook accepts. */
export function exampleCall(canvas: Canvas, example: ExampleFor): string | undefined {
  const request = exampleRequest(canvas, example);
  if (request === undefined) return undefined;
  const { method, body, query } = request;
  if (body === undefined) return `${method} ${JSON.stringify(query)}`;
  return `${method === 'POST' ? '' : `${method} `}${JSON.stringify(body)}${query === undefined ? '' : ` query ${JSON.stringify(query)}`}`;
}

/** The fields of the request's body that texts of the canvas read. */
function fieldsRead({ nodes }: Canvas, variableName: string): readonly Path[] {
  const reads = new RegExp(String.raw`\$webhook\.${variableName}\.body\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)`, 'g');
  const found = [...JSON.stringify(nodes).matchAll(reads)].map(([, path = '']) => path);
  return [...new Set(found)].slice(0, maxFields).map((path) => path.split('.'));
}

/** An example with more fields is too long to type. */
const maxFields = 12;

/** An object under construction: a map, so that no key means anything to JavaScript. */
type Tree = Map<string, Tree | string>;

/** Sets a text at a path, unless a value is there or on the way. */
function setText(tree: Tree, path: Path, text: string): void {
  const [step, ...rest] = path.map(String);
  if (step === undefined) return;
  const there = tree.get(step);
  if (rest.length === 0) {
    if (there === undefined) tree.set(step, text);
    return;
  }
  const branch = there ?? new Map<string, Tree | string>();
  tree.set(step, branch);
  if (typeof branch !== 'string') setText(branch, rest, text);
}

const toObject = (tree: Tree): JsonObject =>
  Object.fromEntries([...tree].map(([key, value]) => [key, typeof value === 'string' ? value : toObject(value)]));
