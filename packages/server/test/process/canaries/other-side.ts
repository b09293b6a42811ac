import { text } from 'node:stream/consumers';
import { listen, type Listening } from '../listening.ts';

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
      switch (url.split('?', 1)[0]) {
        case '/ok':
          return response.setHeader('content-type', 'application/json').end('{"ok":true}');
        case '/refused':
          return response.writeHead(401, { 'www-authenticate': 'Basic' }).end('No');
        case '/away':
          return response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
        case '/cut':
          return request.socket.destroy();
        case '/echo':
          return response.setHeader('content-type', 'application/json').end(JSON.stringify({ method, url, headers, body }));
        default:
          return response.writeHead(500).end('It broke');
      }
    });
  });
  return { ...listening, heard: () => heard };
}
