// Who talks with the bot: the host's user, the one of this browser, or a new one; and requests in their name.
import { Refused, Unavailable } from './back-off.ts';
import type { Keep } from './keep.ts';

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** The visitor of a page. */
export interface Visitor {
  /** A request with the visitor's token; repeated once with a new session when the old one has ended. */
  call(path: string, init: Init): Promise<Response>;
  /** Whether this browser has been here before. */
  isKnown(): boolean;
}

interface VisitorOptions {
  /** The address of the bot, with a slash at its end. */
  readonly root: string;
  /** The host's token for its user. */
  readonly identity: string | undefined;
  /** The token of a link by which a new visitor tries a draft. */
  readonly draft?: string | undefined;
  readonly keep: Keep;
  readonly onName: (name: string) => void;
  /** The visitor is another one from now on, whose conversation is read from its beginning. */
  readonly onOther: () => void;
}

/** The visitor whom a token of the service names; what other scripts of the page have written names none. */
function visitorOf(token: string | undefined): unknown {
  try {
    const claims: unknown = JSON.parse(atob(token?.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/') ?? ''));
    return typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

export function createVisitor({ root, identity, draft, keep, onName, onOther }: VisitorOptions): Visitor {
  let token: string | undefined;
  let opening: Promise<string> | undefined;

  /** A session: the host's user, the one of this browser, or a new one. Tabs that open at once get the same. */
  const openSession = async (): Promise<string> => {
    const ask = async (proof: string | undefined): Promise<Response> =>
      fetch(`${root}session`, {
        method: 'POST',
        headers: proof === undefined ? {} : { authorization: `Bearer ${proof}` },
        ...(proof === undefined && draft !== undefined && { body: JSON.stringify({ draft }) }),
      });
    const open = async (): Promise<string> => {
      const proof = identity ?? keep.get('token');
      let response = await ask(proof);
      if (response.status === 401 && identity === undefined && proof !== undefined) {
        keep.set('token', undefined); // it is too old: this browser is a new visitor
        response = await ask(undefined);
      }
      if (response.status === 401 || response.status === 404) throw new Refused(`The chat answered ${response.status}`);
      if (!response.ok) throw new Unavailable(response);
      const session = (await response.json()) as { readonly token: string; readonly bot: { readonly name: string } };
      if (identity === undefined) keep.set('token', session.token);
      onName(session.bot.name);
      return session.token;
    };
    const locks: LockManager | undefined = navigator.locks; // not there in pages without TLS
    return locks === undefined ? open() : locks.request(`hilo-chat ${root}`, open);
  };

  // A tab may see late which visitor another one has just become, and become a second one: the one who was kept last is the visitor of all.
  keep.onChange('token', () => {
    const theirs = visitorOf(keep.get('token'));
    if (identity !== undefined || token === undefined || theirs === undefined || theirs === visitorOf(token)) return;
    token = undefined;
    onOther();
  });

  const session = async (): Promise<string> => {
    if (token !== undefined) return token;
    opening ??= openSession().finally(() => (opening = undefined));
    token = await opening;
    return token;
  };

  const call: Visitor['call'] = async (path, { headers, ...init }) => {
    for (const isLast of [false, true]) {
      const used = await session();
      const response = await fetch(root + path, { ...init, headers: { ...headers, authorization: `Bearer ${used}` } });
      if (response.status !== 401 || isLast) return response;
      if (token === used) token = undefined;
    }
    throw new Error('Nothing was asked');
  };

  return { call, isKnown: () => identity !== undefined || keep.get('token') !== undefined };
}
