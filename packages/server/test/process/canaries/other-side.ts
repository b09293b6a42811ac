import { text } from 'node:stream/consumers';
import { listen, type Listening } from '../listening.ts';

/** What a model and a server of tools answer, and what they repeat of the request: the model asks every server, and tells what it was told. */
function thought(body: string, repeated: object): string {
  const asked = JSON.parse(body === '' ? '{}' : body) as Asked;
  const text = JSON.stringify({ ...repeated, body });
  if (asked.messages === undefined) {
    const server = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    const tools = [{ name: 'find', description: text, inputSchema: { type: 'object' } }];
    const results: { readonly [method: string]: object } = {
      initialize: server,
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text }] },
    };
    const result = results[asked.method ?? ''];
    const answer = result === undefined ? { error: { code: -32_601, message: text } } : { result };
    return JSON.stringify({ jsonrpc: '2.0', id: asked.id ?? 0, ...answer });
  }
  const offered = (asked.tools ?? []).map((tool) => tool.function.name);
  const call = (name: string, index: number): object => {
    const given = JSON.stringify({ [isExit ? 'text' : 'about']: text.slice(0, 1_900) });
    return { id: `c${index}`, type: 'function', function: { name, arguments: given } };
  };
  const isExit = asked.messages.at(-1)?.role === 'tool';
  const message = {
    role: 'assistant',
    content: text,
    tool_calls: offered.flatMap((name, index) => (name.startsWith('exit_') === isExit ? [call(name, index)] : [])),
  };
  return JSON.stringify({ id: 'c', created: 1, model: 'small', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
}

interface Asked {
  readonly messages?: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly method?: string;
  readonly id?: number;
}

/** What services call: each path answers in another way. */
export interface OtherSide extends Listening {
  /** The heads of the received requests, as one text. */
  heard(): string;
}

export async function startOtherSide(): Promise<OtherSide> {
  let heard = '';
  const listening = await listen((request, response) => {
    void text(request).then((body) => {
      const { method, url = '', headers } = request;
      heard += `${JSON.stringify([method, url, headers])}\n`;
      const isThinking = /\/(?:chat\/completions|mcp)$/.test(url);
      switch (url.split(/[/?]/)[1]) {
        case 'ok':
          return response.setHeader('content-type', 'application/json').end(isThinking ? thought(body, {}) : '{"ok":true}');
        case 'refused':
          return response.writeHead(401, { 'www-authenticate': 'Basic' }).end('No');
        case 'away':
          return response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
        case 'cut':
          return request.socket.destroy();
        case 'echo':
          return response
            .setHeader('content-type', 'application/json')
            .end(isThinking ? thought(body, headers) : JSON.stringify({ method, url, headers, body }));
        default:
          return response.writeHead(500).end('It broke');
      }
    });
  });
  return { ...listening, heard: () => heard };
}
