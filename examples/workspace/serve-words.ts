/** The command that `npm start` runs: `hilo serve` with the example workspace, and with the flags that were given. */
import { parseArgs } from 'node:util';
import { ordersHost } from './orders.ts';

/** The command, and what a person is told before it runs. */
interface ServeWords {
  readonly words: readonly string[];
  readonly warning?: string;
}

/**
 * The service may call one private address more, that of the example's orders: not where another program has it, and not for another
 * workspace.
 *
 * @param flags - those of `hilo serve`
 * @param listed - the value of `HILO_EGRESS_ALLOW`, which a flag would replace
 * @param serveOrders - starts the orders, and resolves to whether they are served
 */
export async function serveWords(
  flags: readonly string[],
  listed: string | undefined,
  serveOrders: () => Promise<boolean>,
): Promise<ServeWords> {
  const { values } = parseArgs({
    args: [...flags],
    strict: false,
    options: { workspace: { type: 'string' }, 'egress-allow': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const words = ['serve', '--workspace', 'examples/workspace/workspace.json', ...flags];
  if (values.workspace !== undefined || values.help === true) return { words };
  if (!(await serveOrders())) return { words, warning };
  const own = values['egress-allow'] ?? listed ?? '';
  return { words: [...words, '--egress-allow', own === '' ? ordersHost : `${String(own)},${ordersHost}`] };
}

const warning =
  `Another program has the port ${ordersHost}, where the orders of the example are served: its bot will answer that the order service did ` +
  'not answer. Stop that program, and start again.';
