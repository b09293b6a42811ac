import type { NodeDefinition } from '@hilo/engine/contract';

/** What kind of way a port is. `faulty`: a required port without an edge, or an edge by a port that is not there. */
export type PortTone = 'plain' | 'aside' | 'error' | 'faulty';

/** A port as it stands on its card. */
export interface PortRow {
  readonly name: string;
  readonly tone: PortTone;
  readonly isConnected: boolean;
}

/** What the edges say of a node. */
export interface Connections {
  /** The ports that edges leave by; `undefined` where an edge names none. */
  readonly ways: readonly (string | undefined)[];
  readonly isEntered: boolean;
}

/** How a port is called that an edge ought to have named. */
const unnamed = '?';

/** The ports that are required or connected, and the one that an edge need not name. An optional port without an edge says nothing. */
export function portsOn(
  definition: NodeDefinition | undefined,
  config: unknown,
  { ways, isEntered }: Connections,
): { readonly rows: readonly PortRow[]; readonly onlyPort: string } {
  const ports = portsOf(definition, config);
  const { required, optional } = ports ?? { required: [], optional: [] };
  const onlyPort =
    (required.length === 1 ? required[0] : required.length === 0 && optional.length === 1 ? optional[0] : undefined) ?? unnamed;
  const connected = new Set(ways.map((way) => way ?? onlyPort));
  const needed = isEntered ? (definition?.portsWhenEntered ?? []) : [];
  const toneOf = (name: string): PortTone =>
    name === 'error' ? 'error' : optional.includes(name) && !needed.includes(name) ? 'aside' : 'plain';
  const known = [...required, ...optional.filter((name) => connected.has(name) || needed.includes(name))];
  const others = [...connected].filter((name) => !known.includes(name));
  const rows = [
    ...known.map((name) => ({ name, tone: connected.has(name) ? toneOf(name) : ('faulty' as const), isConnected: connected.has(name) })),
    ...others.map((name) => ({ name, tone: ports === undefined ? toneOf(name) : ('faulty' as const), isConnected: true })),
  ];
  return { rows, onlyPort };
}

/** The ports of a node; `undefined` when its config cannot be read, so that nobody knows them. */
function portsOf(
  definition: NodeDefinition | undefined,
  config: unknown,
): { readonly required: readonly string[]; readonly optional: readonly string[] } | undefined {
  const parsed = definition?.config.safeParse(config);
  if (definition === undefined || parsed?.success !== true) return undefined;
  return { required: definition.ports(parsed.data), optional: definition.optionalPorts(parsed.data) };
}
