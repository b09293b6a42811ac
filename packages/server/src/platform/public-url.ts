interface Listener {
  readonly host: string;
  readonly port: number;
}

/** The address under which people reach this service: links to its own pages begin with it. */
export interface PublicUrl {
  /** Without a slash at its end. */
  get(): string;
  /** Says where the service listens: that is its address, where the settings name no other. */
  listensAt(address: string): void;
}

/** Before the service listens, its address is that of the settings. */
export function createPublicUrl({ publicUrl, host, port }: { readonly publicUrl?: string | undefined } & Listener): PublicUrl {
  let address = publicUrl ?? addressOf({ host, port });
  return {
    get: () => address.replace(/(?<!\/)\/+$/, ''),
    listensAt(listening) {
      if (publicUrl === undefined) address = listening;
    },
  };
}

/** Where a service listens, as a browser on this machine writes it. */
export const addressOf = ({ host, port }: Listener): string =>
  `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;

/** Where an address leads, as lists of allowed destinations have it: `host:port`. */
export const formatHostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
