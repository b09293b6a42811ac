import { type HttpServer, startHttp } from '../../drivers/test/local-servers.ts';

/** What a service answers: an envelope, with its status and type. */
export interface SoapAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Uint8Array;
}

export const envelope11 = (body: string, more = ''): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"${more}><s:Body>${body}</s:Body></s:Envelope>`;
export const envelope12 = (body: string): string =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>${body}</e:Body></e:Envelope>`;

/** A service that answers every call alike. */
export const startSoap = ({ status = 200, type = 'text/xml', body }: SoapAnswer): Promise<HttpServer> =>
  startHttp((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
