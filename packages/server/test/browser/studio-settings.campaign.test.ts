// The settings of a company over a real service: a bot is connected, a template and a team are added, a contact is changed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService } from '../../src/service/open-service.ts';
import { exampleWorkspace } from '../data/open-for-test.ts';
import { settingsFor } from '../data/settings.ts';
import { type ServedStudio, serveStudio } from './open-studio.ts';

describe('the settings of a company, in Chromium', { timeout: 180_000 }, () => {
  let directory: string;
  let service: Awaited<ReturnType<typeof openService>>;
  let studio: ServedStudio;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hilo-settings-'));
    const quiet = (): void => undefined;
    service = await openService(
      { ...settingsFor(directory), workspace: exampleWorkspace },
      { log: { info: quiet, warn: quiet, error: quiet } },
    );
    studio = await serveStudio(service);
  });
  afterAll(async () => {
    await studio?.close();
    await service?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('connects a bot, and adds, changes and removes records, each in a form with labels', async (context) => {
    const { page, axe, complaints, close } = await studio.page(context, '1/settings/bots');
    const section = (name: string) => page.getByRole('navigation', { name: 'What is set' }).getByRole('link', { name });
    await page.getByRole('button', { name: 'Connect a channel' }).click();
    await page.getByRole('button', { name: /Web chat/ }).click();
    await page.getByLabel('Name').fill('Night desk');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Put this code into your page').waitFor();
    expect(await page.locator('.bot-links code').first().textContent()).toContain('data-bot="night-desk"');
    expect(service.companies.botOf('1', 'night-desk')).toMatchObject({ name: 'Night desk', channel: 'web' });
    expect(service.companies.botOf('1', 'night-desk')?.provider.fields).toMatchObject({
      appSecret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    await page.getByRole('button', { name: 'Check the connection' }).click();
    await page.locator('.bot-links [role=status]').waitFor();
    // A provider that refuses the credential is told with its own reason, as text.
    const refused = { botId: 'night-desk', kind: 'whatsapp-cloud', isWorking: false, message: 'The token is <b>expired</b> (190)' };
    await page.route('**/bots/night-desk/check*', (route) => route.fulfill({ json: refused }));
    await page.getByRole('button', { name: 'Check the connection' }).click();
    await page.locator('.bot-links .bad').waitFor();
    await page.getByText('The token is <b>expired</b> (190)').waitFor();
    await page.unroute('**/bots/night-desk/check*');
    await page.getByRole('button', { name: 'Try the chat here' }).waitFor();
    expect(await axe()).toEqual([]);

    await section('Teams').click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name').fill('Night');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Night' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'Teams' }).waitFor();
    await page.getByRole('cell', { name: 'Night', exact: true }).waitFor({ state: 'detached' });

    await section('Templates').click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field-problem').first().waitFor();
    expect(await axe()).toEqual([]);

    await section('Company').click();
    await page.getByLabel('Time zone').fill('America/Lima');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(service.companies.company('1')?.timeZone).toBe('America/Lima');
    for (const name of ['Contacts', 'Campaigns', 'Credentials']) {
      await section(name).click();
      await page.getByRole('heading', { name }).waitFor();
    }
    expect(await axe()).toEqual([]);
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]); // of the template without a name
    await close();
  });
});
