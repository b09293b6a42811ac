import type { CompiledCanvas } from './canvas/compile.ts';
import type { Accepted } from './contract/accepted.ts';
import { HiloError } from './contract/errors.ts';
import { Channel, type Origin } from './contract/execution.ts';
import { isJsonObject } from './contract/json.ts';
import type { Kernel } from './kernel.ts';

/** A published workflow that begins with a message, and where. */
export interface MatchingStart {
  readonly origin: Origin;
  readonly canvas: CompiledCanvas;
  readonly version: number;
  readonly entry: string;
}

/** The published workflow whose `start` takes a message, one by keyword before one by fallback; or why none does. */
export async function matchingStart(
  kernel: Kernel,
  companyId: string,
  { botId, userId, message }: Extract<Accepted, { readonly kind: 'message' }>,
): Promise<MatchingStart | 'NO_START_PUBLISHED' | 'NO_START_MATCHED'> {
  const bot = await kernel.directory.bot(companyId, botId);
  const channel = Channel.safeParse(isJsonObject(bot) ? bot['channel'] : undefined).data;
  const origin: Origin = { companyId, botId, userId, route: 'production', ...(channel === undefined ? {} : { channel }) };
  let fallback: MatchingStart | undefined;
  let starts = 0;
  for (const { hash, version } of await kernel.canvases.published(companyId)) {
    const canvas = await loadOrSkip(kernel, companyId, hash);
    // A tool has no conversation: it is called, never talked to.
    for (const node of canvas?.canvas.kind === 'skill' ? canvas.starts : []) {
      starts += 1;
      const { entry } = node.definition;
      const matched = entry?.kind === 'message' ? entry.match(node.config, message) : undefined;
      if (canvas === undefined || matched === undefined) continue;
      const start = { origin, canvas, version, entry: node.id };
      if (matched === 'keyword') return start;
      fallback ??= start;
    }
  }
  return fallback ?? (starts === 0 ? 'NO_START_PUBLISHED' : 'NO_START_MATCHED');
}

/** One canvas that no longer compiles must not keep every other from starting (P17). */
async function loadOrSkip(kernel: Kernel, companyId: string, hash: string): Promise<CompiledCanvas | undefined> {
  try {
    return await kernel.library.load(companyId, hash);
  } catch (error) {
    if (error instanceof HiloError && error.code !== 'STORE_UNAVAILABLE') return undefined;
    throw error;
  }
}
