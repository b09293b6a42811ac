// The chat as it is built, and a studio over a service that has it: for what an author and a visitor do with one bot.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWidget } from '../../src/chat/chat.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import type { Settings } from '../../src/service/settings.ts';
import { settingsFor } from '../data/settings.ts';
import { type ServedStudio, serveStudio } from './open-studio.ts';

const program = fileURLToPath(new URL('../../../chat/scripts/build.ts', import.meta.url));

/** Builds the chat from the current sources into a file. @throws {Error} with the reason */
export function buildChat(file: string): void {
  const { status, stderr } = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The chat cannot be built: ${stderr}`);
}

/** A service in a folder of its own, its studio and its chat, in one place. */
export interface StudioWithChat {
  readonly service: RunningService;
  readonly studio: ServedStudio;
  close(): Promise<void>;
}

/** Opens a service whose pages are the studio and the chat of the current sources. */
export async function openStudioWithChat(settings: Partial<Settings> = {}): Promise<StudioWithChat> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-chat-'));
  const script = join(directory, 'chat.js');
  buildChat(script);
  const quiet = (): void => undefined;
  const opened = await openService(settingsFor(join(directory, 'data'), settings), { log: { info: quiet, warn: quiet, error: quiet } });
  if (opened.chat === undefined) throw new Error('The service has no chat');
  const service = { ...opened, chat: { ...opened.chat, widget: await findWidget(script) } };
  const studio = await serveStudio(service);
  service.listensAt(studio.base);
  return {
    service,
    studio,
    async close() {
      await studio.close();
      await service.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
