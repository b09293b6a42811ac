// The settings of a company over a real service: a bot is connected, a template and a team are added, a contact is changed.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
    await page.getByLabel('Time zone').selectOption('America/Lima');
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

  it('logs in for a credential at its server, whose page knows nothing of this one', async (context) => {
    const { page, axe, complaints, close } = await studio.page(context, '1/settings/credentials/+');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('oauth2');
    expect(await page.locator('input[type=password]').count()).toBe(2); // the secret of the client, and what a login gives
    await page.getByLabel('Id', { exact: true }).fill('crm');
    await page.getByLabel('Address of the token').fill('https://login.example.com/token');
    await page.getByLabel('Address of the login').fill('https://login.example.com/authorize');
    await page.getByLabel('Client id').fill('hilo');
    await page.getByLabel('Client secret').fill('s3cret');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('/admin/v1/credentials/login').waitFor();
    expect(await axe()).toEqual([]);
    await page
      .context()
      .route('https://login.example.com/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Agree</title><script>document.title += String(opener)</script>' }),
      );
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Log in with this credential' }).click();
    const there = await opened;
    await there.waitForURL(/login\.example\.com\/authorize\?.*code_challenge_method=S256/);
    expect(await there.title()).toBe('Agreenull');
    await page.getByText('The page that opens leads back here').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('gives people and programs roles by company, tells addresses of events, and counts whom a segment fits', async (context) => {
    const { page, axe, complaints, close } = await studio.page(context, '1/settings/access');
    const section = (name: string) => page.getByRole('navigation', { name: 'What is set' }).getByRole('link', { name });
    await page.getByText('Nobody but the admin token logs in yet').waitFor();
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByLabel('Name').fill('no name');
    await page.getByLabel('editor').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('a name has up to 100 letters').waitFor();
    await page.getByLabel('Name').fill('maria');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Give this link to maria').waitFor();
    await page.getByRole('cell', { name: 'looks, edits drafts in Acme' }).waitFor();
    expect(await service.accounts?.user('maria')).toMatchObject({ roles: ['viewer', 'editor'], companies: ['1'] });
    await page.getByRole('button', { name: 'Change: maria' }).click();
    await page.getByLabel('All companies').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'All companies, also those to come' }).waitFor();
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByLabel('Name').fill('<b>ci</b>');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('it is never shown again').waitFor();
    await page.getByRole('button', { name: 'Revoke: <b>ci</b>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No program has a token yet.').waitFor();
    await page.getByRole('button', { name: 'Remove: maria' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Nobody but the admin token logs in yet').waitFor();

    await section('Events').click();
    await page.getByText('Nobody is told of what happens here yet').waitFor();
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hook.example.com/in');
    await page.getByLabel('everything').uncheck();
    await page.getByLabel('conversations with people').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/whsec_/).waitFor();
    await page.getByText('Nothing was sent yet.').waitFor();
    expect(await axe()).toEqual([]);
    const [subscription] = (await service.subscriptions?.all('1')) ?? [];
    expect(subscription).toMatchObject({ url: 'https://hook.example.com/in', events: ['conversation.*'] });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Nobody is told of what happens here yet').waitFor();

    // People come in from a CSV with columns of its own, after they were counted; one of them is erased.
    await section('Contacts').click();
    await page.getByRole('button', { name: 'Import a CSV' }).click();
    const csv = Buffer.from('Celular;Nombre;Otra\n51999000777;Zoe;x\nnobody;Max;y\n');
    await page.getByLabel('File').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: csv });
    await page.getByRole('button', { name: 'Count first' }).click();
    await page.getByText('New: 1. Changed: 0.').waitFor();
    await page.getByText('Line 3:').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported. New: 1.').waitFor();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: 'Zoe' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save all that is kept of them' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('Zoe');
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('It is being erased').waitFor();
    expect(await axe()).toEqual([]);

    await section('Groups').click();
    await page.getByText('No segment yet.').waitFor();
    await page.getByRole('button', { name: 'Add a segment' }).click();
    await page.getByLabel('Name').fill('new');
    await page.getByRole('button', { name: 'Write it as an expression' }).click();
    await page.getByLabel('Condition').fill('user.nmaes == "Ana"');
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Condition').fill('has(user.names)');
    await page.getByRole('button', { name: 'Choose it in lines' }).click();
    await page.getByLabel('How it compares').selectOption('is');
    await page.getByLabel('With what').fill('Ana');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByText('It fits 1 person, such as Ana.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'new' }).waitFor();
    expect(await axe()).toEqual([]);

    // A campaign says what fills each place of its template, and is counted before it begins.
    await section('Campaigns').click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('For Ana');
    await page.getByLabel('Bot').selectOption('Acme WhatsApp');
    await page.getByLabel('Template').selectOption('payment_reminder (en)');
    expect(await page.getByLabel('Value of name').inputValue()).toBe('{{user.names}}');
    await page.getByLabel('Value of code').fill('A2');
    await page.getByLabel('Who gets it').selectOption('Segment: new');
    await page.getByRole('button', { name: 'Count first' }).click();
    await page.getByText('1 person would get it.').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('link', { name: 'For Ana', exact: true }).click();
    await page.getByRole('row', { name: 'People 1' }).waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Back to the list' }).click();

    // One that is planned says when it begins, and is cancelled.
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Later');
    await page.getByLabel('Bot').selectOption('Acme WhatsApp');
    await page.getByLabel('Template').selectOption('payment_reminder (en)');
    await page.getByLabel('Value of code').fill('A3');
    await page.getByLabel('Who gets it').selectOption('Segment: new');
    await page.getByLabel('Begins at').fill('2035-04-01T09:00');
    await page.getByRole('button', { name: 'Count first' }).click();
    await page.getByText('1 person would get it.').waitFor();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('cell', { name: /planned.*2035/ }).waitFor();
    await page.getByRole('button', { name: 'Cancel: Later' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('cell', { name: 'cancelled', exact: true }).waitFor();
    expect(await axe()).toEqual([]);
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]); // what was refused
    await close();
  });

  it('a window does not close over what was written into a form, until it is sent', async (context) => {
    const { page, go, complaints, close } = await studio.page(context, '');
    // As the browser asks a page, which refuses.
    const isHeld = (): Promise<boolean> => page.evaluate<boolean>("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    const name = page
      .locator('.settings-part')
      .getByLabel(/^(?:Name|Address)/)
      .first();
    const language = page.locator('.settings-part').getByLabel('Language');
    for (const place of ['contacts/+', 'contacts/5215512345678', 'groups/+', 'campaigns/+', 'teams/+', 'company', 'events/+']) {
      await go(`1/settings/${place}`);
      await name.click();
      expect([place, await isHeld()]).toEqual([place, false]); // nothing was written
      await name.click();
      await name.press('End');
      await page.keyboard.type('x');
      const written = await name.inputValue();
      expect([place, await isHeld()]).toEqual([place, true]);
      expect(await name.inputValue()).toBe(written);
      await page.getByRole('navigation', { name: 'What is set' }).getByRole('link', { name: 'Tags' }).click();
      await page.getByRole('heading', { name: 'Tags' }).waitFor();
    }
    // What is refused is still written there, and what was saved is not.
    await go('1/settings/contacts/5215512345678');
    await language.fill('no language');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await isHeld()).toBe(true);
    await language.fill('es-MX');
    const asked = page.waitForEvent('dialog');
    // Once this call has returned: it would wait for the answer to the dialog, which is given behind it.
    await page.evaluate('setTimeout(() => location.reload())');
    await (await asked).dismiss();
    expect(await language.inputValue()).toBe('es-MX');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await isHeld()).toBe(false);
    expect(complaints.filter((text) => !/status of (400|422)/.test(text))).toEqual([]);
    await close();
  });
});
