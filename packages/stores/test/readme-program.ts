import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@hilo/stores';
import { simulate } from '@hilo/testing';

const reminder = {
  schemaVersion: 1,
  id: 'reminder',
  name: 'Reminder',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'pause', type: 'delay', data: { duration: 'P7D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'pause' },
    { source: 'pause', target: 'done' },
  ],
};
const directory = mkdtempSync(join(tmpdir(), 'hilo-readme-'));
const path = join(directory, 'hilo.db');

const before = await openSqliteStore({ path });
const conversation = await simulate({ canvases: [reminder], store: before.executions, canvasStore: before.canvases });
await conversation.says('hi');
console.log((await conversation.execution())?.state.status);
await before.close(); // or lose the machine: what was accepted is on the disk

const after = await openSqliteStore({ path, mustExist: true });
const again = await simulate({ canvases: [reminder], store: after.executions, canvasStore: after.canvases });
await again.passes('7d');
console.log((await after.executions.list('1', { limit: 1 })).results[0]?.state.status, after.durability);
await after.close();
rmSync(directory, { recursive: true });
