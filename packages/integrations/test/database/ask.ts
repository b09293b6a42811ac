// Asks the driver of databases, and closes what it has started.
import type { DriverContext, JsonObject } from '@hilo/engine/contract';
import { callDatabase } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { createSocketDialer, type SocketDialerOptions } from '../../../drivers/src/index.ts';
import { createDatabaseDriver, type DatabaseDriverOptions } from '../../src/index.ts';
import { driverContext } from '../../../testing/src/contracts/driver-context.ts';

type Request = z.output<typeof callDatabase.request>;
type Result = z.output<typeof callDatabase.result>;

/** Asks the database of company 7 under this credential. */
export interface Asking {
  readonly credential: JsonObject;
  readonly options?: SocketDialerOptions;
  readonly sqliteDirectory?: string;
  readonly limits?: DatabaseDriverOptions['limits'];
  readonly signal?: AbortSignal;
  readonly companyId?: string;
}

/** A request less what every request has. */
export type Asked = Request extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'credentialId' | 'timeoutMs'> & { readonly timeoutMs?: number }
    : never
  : never;

/** Drivers that were made: the processes that those of SQLite started run until they are closed. */
const made = new Set<{ close(): void }>();

/** Closes the drivers behind all that was asked: for the end of a file that asks SQLite. */
export function closeDrivers(): void {
  for (const driver of made) driver.close();
  made.clear();
}

export const ask = ({
  credential,
  options = {},
  sqliteDirectory,
  limits,
  signal = new AbortController().signal,
  companyId = '7',
}: Asking) => {
  const driver = createDatabaseDriver({
    sockets: createSocketDialer(options),
    credential: (company, id) => Promise.resolve(company === '7' && id === 'shop' ? credential : undefined),
    ...(limits !== undefined && { limits }),
    ...(sqliteDirectory !== undefined && { sqliteDirectory: () => sqliteDirectory }),
  });
  made.add(driver);
  const perform = driver.perform as (request: Request, context: DriverContext) => Promise<unknown>;
  const context = driverContext({ origin: { companyId, route: 'production' }, signal });
  return async (asked: Asked): Promise<Result> => {
    const request = callDatabase.request.parse({ credentialId: 'shop', timeoutMs: 20_000, ...asked });
    return callDatabase.result.parse(await perform(request, context));
  };
};
