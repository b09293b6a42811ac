import { existsSync } from 'node:fs';
import { join } from 'node:path';

const { platform, arch } = process;
const inBench = join(import.meta.dirname, `../../../bench/node_modules/@restatedev/restate-server-${platform}-${arch}/bin/restate-server`);

/** The Restate server of `HILO_RESTATE_SERVER`, else that of `npm ci --prefix bench`; `undefined` without one. */
export const restateProgram: string | undefined = process.env['HILO_RESTATE_SERVER'] ?? (existsSync(inBench) ? inBench : undefined);
