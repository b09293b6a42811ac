// Every dialog of the studio: where the focus is while it is open and once it is closed, what Axe finds in it, and whether it fits a phone,
// in English and light as in Spanish and dark.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { colours, type EverydayStage, openEveryday } from './everyday-stage.ts';

/** Where each is opened: its address, and the buttons that lead to it, each by its name in English and in Spanish. */
interface Opened {
  readonly address: (ids: Ids) => string;
  readonly buttons: readonly (readonly [english: string, spanish: string])[];
  /** It is there where there is room to edit. */
  readonly isWide?: true;
}

interface Ids {
  readonly waiting: string;
  readonly failed: string;
}

const dialogs: { readonly [what: string]: Opened } = {
  'a new workflow': { address: () => '', buttons: [['New workflow', 'Flujo nuevo']], isWide: true },
  'a search': { address: () => '1/talk', buttons: [['Search everything', 'Buscar en todo']], isWide: true },
  'the keys': { address: () => '1/talk', buttons: [['Keys', 'Teclas']], isWide: true },
  'what is published': { address: () => '1/talk', buttons: [['Publish', 'Publicar']], isWide: true },
  'a draft on a phone': {
    address: () => '1/talk',
    buttons: [
      ['Test', 'Probar'],
      ['On my phone', 'En mi teléfono'],
    ],
    isWide: true,
  },
  'a pause': { address: () => '1/talk/versions', buttons: [['Pause', 'Pausar']] },
  'the end of a publication': { address: () => '1/talk/versions', buttons: [['Unpublish', 'Retirar']] },
  'a publication later': { address: () => '1/talk/versions', buttons: [['Publish later', 'Publicar más tarde']] },
  'executions that are brought': {
    address: () => '1/talk/versions',
    buttons: [['Bring waiting executions here: v2', 'Traer aquí las ejecuciones en espera: v2']],
  },
  'many executions': { address: () => '1/executions?workflowId=talk', buttons: [['Act on all of these', 'Actuar sobre todas estas']] },
  'an execution that is cancelled': {
    address: ({ waiting }) => `1/executions/${waiting}`,
    buttons: [['Cancel execution', 'Cancelar la ejecución']],
  },
  'a copy of an execution': {
    address: ({ waiting }) => `1/executions/${waiting}`,
    buttons: [['Fork from here', 'Bifurcar desde aquí']],
  },
  'an execution that is retried': { address: ({ failed }) => `1/executions/${failed}`, buttons: [['Retry', 'Reintentar']] },
  'a bot that is removed': { address: () => '1/settings/bots/bot_slack', buttons: [['Remove', 'Quitar']] },
};

let stage: EverydayStage;
const ids = { waiting: '', failed: '' };
beforeAll(async () => {
  stage = await openEveryday();
  const { ask, service } = stage;
  const says = async (userId: string): Promise<string> => {
    const message = { id: `says-${userId}`, type: 'text', text: 'talk' } as const;
    await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: message.id, user: { id: userId }, message });
    await service.engine.whenIdle();
    const { results } = await service.store.executions.list('1', { workflowId: 'talk', limit: 1, userId });
    return results[0]?.executionId ?? '';
  };
  await ask('PUT', '/workflows/talk', colours('talk', 'Red it is'));
  await ask('POST', '/workflows/talk/publish', {});
  Object.assign(ids, { waiting: await says('5215512345601'), failed: await says('5215512345602') });
  await ask('POST', `/executions/${ids.failed}/cancel`, { reason: 'to be retried' });
  await ask('PUT', '/workflows/talk', colours('talk', 'Red it is, again'));
  await ask('POST', '/workflows/talk/publish', {});
});
afterAll(() => stage?.close());

type Opening = Awaited<ReturnType<EverydayStage['studio']['page']>>;

/** What is wrong with the dialog that is open: where the focus is, what Axe finds, and whether it fits. */
async function lookAt(what: string, page: Opening['page'], axe: Opening['axe']): Promise<{ readonly [what: string]: unknown }> {
  const found: { [what: string]: unknown } = {};
  await page.locator('dialog[open] .dialog-body > *').first().waitFor();
  if ((await page.evaluate('document.querySelector("dialog[open]").contains(document.activeElement)')) !== true)
    found[`${what}: open`] = 'no focus';
  const findings = await axe();
  if (findings.length > 0) found[`${what}: Axe`] = findings;
  const beside = await page.evaluate(`(() => {
    const dialog = document.querySelector('dialog[open]');
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const body = dialog.querySelector('.dialog-body');
    return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || body.scrollWidth > body.clientWidth + 1
      ? [left, right, top, bottom, body.scrollWidth, body.clientWidth].map(Math.round)
      : [];
  })()`);
  if (Array.isArray(beside) && beside.length > 0) found[`${what}: too wide`] = beside;
  return found;
}

it.each([
  ['English', 'light', 1_280, 720],
  ['Spanish', 'dark', 1_280, 720],
  ['Spanish', 'dark', 390, 844],
] as const)('in %s and %s at %i by %i, the focus is in each while it is open, and goes back', { timeout: 300_000 }, async (...given) => {
  const [language, mode, width, height] = given;
  const context = given.at(-1) as unknown as Parameters<EverydayStage['studio']['page']>[0];
  const { page, go, axe, complaints, close } = await stage.studio.page(context, '', mode);
  if (language === 'Spanish') await page.evaluate("localStorage.setItem('hilo-studio/language', 'es')");
  await page.setViewportSize({ width, height });
  const found: { [what: string]: unknown } = {};
  for (const [what, { address, buttons, isWide = false }] of Object.entries(dialogs)) {
    if (isWide && width < 900) continue;
    await go(address(ids));
    const names = buttons.map(([english, spanish]) => (language === 'Spanish' ? spanish : english));
    const places = names.map((name) => page.getByRole('button', { name, exact: true }).first());
    for (const place of places) await place.click();
    const dialog = page.locator('dialog[open]');
    Object.assign(found, await lookAt(what, page, axe));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const back = places.at(-1);
    if (back !== undefined && (await back.and(page.locator(':focus')).count()) === 0)
      found[`${what}: closed`] = await page.evaluate('document.activeElement.outerHTML.slice(0, 120)');
  }
  expect(found).toEqual({});
  // The page of the chat is not built here, which the dialog of the phone says.
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  await close();
});

const label = { English: 'Label', Spanish: 'Título' } as const;

it.each([
  ['English', 'light', 1_280, 720],
  ['Spanish', 'dark', 900, 600],
] as const)('in %s and %s at %i by %i, those that end by a choice alone stay at Escape', { timeout: 120_000 }, async (...given) => {
  const [language, mode, width, height] = given;
  const context = given.at(-1) as unknown as Parameters<EverydayStage['studio']['page']>[0];
  await stage.ask('PUT', '/workflows/met', colours('met', 'Red it is'));
  const { page, go, axe, close } = await stage.studio.page(context, '', mode);
  if (language === 'Spanish') await page.evaluate("localStorage.setItem('hilo-studio/language', 'es')");
  await page.setViewportSize({ width, height });
  await page.route('**/admin/v1/events?*', (route) => route.abort()); // it hears nothing of others, as behind a proxy that holds streams back
  await go('1/met?node=red');
  const field = page.getByRole('textbox', { name: label[language], exact: true });
  const text = page.locator('[data-pointer="/nodes/2/data/message/text"] .cm-content');
  const dialog = page.locator('dialog[open]');
  const stays = async (what: string) => {
    const found = await lookAt(what, page, axe);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
    return { ...found, [what]: await dialog.count() };
  };

  await field.waitFor();
  await stage.ask('PUT', '/workflows/met', colours('met', 'Theirs'));
  await text.fill('Mine, with <b>signs</b> and a word of two hundred letters'.padEnd(200, 'o'));
  await dialog.waitFor();
  expect(await stays('two authors')).toEqual({ 'two authors': 1 });
  await dialog.getByRole('radio').last().check();
  await dialog.getByRole('button').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await text.textContent()).toBe('Theirs');
  await expect.poll(() => text.and(page.locator(':focus')).count()).toBe(1);

  await page.context().clearCookies();
  await field.fill('After the session');
  await dialog.waitFor();
  expect(await stays('a session that is over')).toEqual({ 'a session that is over': 1 });
  await close();
});
