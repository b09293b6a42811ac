// What is at an address that a bot sends to a person: a page in a language of the browser, also where the address leads nowhere any more.
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { createApp } from '../../src/service/app.ts';
import { withPlace } from '../data/open-for-test.ts';

const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const fromProgram = ['*/*', 'application/json', 'application/json, text/html;q=0.5'];

/** Opens addresses of a service. */
const withOpen = (use: (open: (path: string, headers: { readonly [name: string]: string }) => Promise<Response>) => Promise<void>) =>
  withPlace(async (place) => {
    const app = createApp(await place.open());
    await use(async (path, headers) => app.request(path, { headers }));
  });

describe('an address that was sent to a person', () => {
  it(
    'leads to a page for a browser, and to JSON for a program, once there is nothing at it',
    withOpen(async (open) => {
      for (const path of ['/workflows/v2/resume/never-given', '/chat/nobody', '/files/gone', '/payments/test/gone']) {
        const page = await open(path, { accept: ofBrowser, 'accept-language': 'es-PE,es;q=0.9,en;q=0.8' });
        expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=UTF-8']);
        expect(page.headers.get('referrer-policy')).toBe('no-referrer');
        expect(await page.text()).toContain('No hay nada en esta dirección');
        for (const accept of fromProgram)
          expect(await (await open(path, { accept })).json()).toMatchObject({ error: expect.stringMatching(/NOT_FOUND$/) as unknown });
      }
    }),
  );

  it(
    'asks for no key, whatever stands in the place of the token, and however it is called',
    withPlace(async (place) => {
      const app = createApp(await place.open());
      const answers = await Promise.all(
        ['', '/', '/x/', '/x/y', '/x.', '/%00', '/%2F', `/${'A'.repeat(2_000)}`].flatMap((end) =>
          ['GET', 'POST', 'DELETE', 'OPTIONS'].map(async (method) => {
            const answer = await app.request(`/workflows/v2/resume${end}`, { method });
            return [answer.status, await answer.json()] as const;
          }),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject([404, { error: 'NOT_FOUND', message: expect.stringContaining('ask for a new one') as unknown }]);
    }),
  );

  it(
    'is in no log, for every route whose address is all that is asked for',
    withPlace(async (place) => {
      const app = createApp(await place.open());
      const opened = [...listRoutes(app).values()].filter(
        ({ auth, path, operationId }) => auth === 'address' && path.endsWith('}') && operationId !== 'showChatPage',
      );
      expect(opened.map(({ path }) => path)).toEqual(
        expect.arrayContaining([
          '/workflows/v2/resume/{token}',
          '/files/{token}',
          '/chat/{botId}/files/{fileId}',
          '/payments/test/{checkoutId}',
        ]),
      );
      for (const { method, path } of opened)
        for (const end of ['', '/', '/more', '%0Amore', '?query=1'])
          await app.request(`${path.replace('{botId}', 'help').replace(/\{\w+\}/, 'what-opens-it')}${end}`, {
            method: method.toUpperCase(),
          });
      const lines = place.log.lines.filter(({ message }) => message === 'request');
      expect(lines).toHaveLength(5 * opened.length);
      expect(JSON.stringify(place.log.lines)).not.toContain('what-opens-it');
    }),
  );

  it(
    'has no page where programs alone go',
    withOpen(async (open) => {
      const answer = await open('/workflows/v2/webhooks/skill/none/whatsapp/none', { accept: ofBrowser });
      expect(await answer.json()).toMatchObject({ error: expect.any(String) as unknown });
    }),
  );

  it(
    'is in a language that the browser asks for, else in English',
    withOpen(async (open) => {
      for (const [asked, language] of [
        ['', 'en'],
        ['*', 'en'],
        ['fr', 'en'],
        ['fr-CA, pt-BR;q=0.7, en;q=0.3', 'pt'],
        ['en;q=0.2, ES-419;q=0.9', 'es'],
        ['es;q=0, pt;q=0.1', 'pt'],
        ['est, esp;q=0.9', 'en'],
        [`es${'-x'.repeat(500)}`, 'es'],
        [';;q=,,=;es', 'en'],
      ] as const) {
        const page = await open('/workflows/v2/resume/x', { accept: ofBrowser, 'accept-language': asked });
        expect([asked, /<html lang="(\w+)">/.exec(await page.text())?.[1]]).toEqual([asked, language]);
      }
    }),
  );
});

describe('the address of a service with a studio', () => {
  it(
    'leads a browser to the studio, relative to it, and tells a program that nothing is there',
    withPlace(async (place) => {
      const built = { page: '<!doctype html>', files: new Map() };
      const app = createApp({ ...(await place.open()), studio: { known: () => built, read: async () => built } });
      const [front, machine] = [await app.request('/', { headers: { accept: ofBrowser } }), await app.request('/')];
      expect([front.status, front.headers.get('location'), front.headers.get('vary')]).toEqual([302, 'studio/', 'accept']);
      expect(machine.status).toBe(404);
    }),
  );
});
