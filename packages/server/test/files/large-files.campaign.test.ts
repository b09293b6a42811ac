// The largest file of a user, and one that is larger, through the whole service.
import { describe, expect, it } from 'vitest';
import { largePicture, quiet, withFiles } from './files-stage.ts';

describe('a file of a user', () => {
  it(
    'is read back byte by byte at 25 MB, and is not taken at 26 MB',
    withFiles(quiet, async ({ image, held, handleOf, get }) => {
      for (const id of ['largest', 'larger']) held.set(id, {}); // small when the message comes: types of messages have limits of their own
      await image('largest');
      await image('larger');
      const bytes = largePicture(25);
      held.set('largest', { bytes });
      held.set('larger', { bytes: largePicture(26) });
      const answer = await get(`/admin/v1/files/${await handleOf('largest')}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      const refused = await get(`/admin/v1/files/${await handleOf('larger')}`);
      expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('longer than 26214400 bytes') as string]);
    }),
  );
});
