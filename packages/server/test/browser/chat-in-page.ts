/** The web chat in a page of another site, in Chromium, with a real service behind it: what the tests of the chat share. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@hilo/engine/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { findWidget } from '../../src/chat/chat.ts';
import type { Listening } from '../../src/platform/http/listen.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { serve } from '../../src/service/serve.ts';
import { chatWorkspace } from '../chat/chat-stage.ts';
import { settingsFor } from '../data/settings.ts';
import { listen as listenPlainly } from '../process/listening.ts';
import { buildChat } from './built-chat.ts';
import { startChromium } from './chromium.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Offers a list, then a quick reply, and echoes the choice. */
const help: JsonObject = {
  schemaVersion: 1,
  id: 'help',
  name: 'Help',
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'menu',
      type: 'ask',
      data: {
        message: {
          type: 'text',
          text: 'Hello! What can I do for you?',
          buttons: {
            options: [
              { title: 'Track an order', description: 'Where it is, and when it comes', payload: 'track' },
              { title: 'Return something', description: 'Within 30 days', payload: 'return' },
            ],
          },
        },
        saveAs: '$context.topic',
      },
    },
    {
      id: 'number',
      type: 'ask',
      data: { message: { type: 'text', text: 'What is the number of your order?' }, input: { kind: 'text' }, saveAs: '$context.number' },
    },
    {
      id: 'sure',
      type: 'ask',
      data: {
        message: {
          type: 'quick_reply',
          text: 'Order {{$context.number}} is on its way: it arrives on Thursday. Shall we tell you when it does?',
          quick_replies: [{ title: 'Yes, please' }, { title: 'No' }],
        },
        saveAs: '$context.sure',
      },
    },
    { id: 'bye', type: 'message', data: { message: { type: 'text', text: 'Noted: {{$context.sure}} See https://example.com/orders' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'menu' },
    { source: 'menu', sourceHandle: 'track', target: 'number' },
    { source: 'menu', sourceHandle: 'return', target: 'number' },
    { source: 'menu', sourceHandle: 'other', target: 'menu' },
    { source: 'number', sourceHandle: 'answered', target: 'sure' },
    { source: 'sure', sourceHandle: 'Yes, please', target: 'bye' },
    { source: 'sure', sourceHandle: 'No', target: 'bye' },
    { source: 'sure', sourceHandle: 'other', target: 'bye' },
    { source: 'bye', sourceHandle: 'sent', target: 'done' },
  ],
};

/** A service with the bot `help`, a shop whose page has its chat, and a browser. */
export interface ChatInPage {
  /** What the page says beside the bot: further attributes of its `<script>`. Empty before each test. */
  attributes: string;
  /** The bots of the page, a script each. `help` alone before each test. */
  bots: readonly string[];
  /** The file of the built script. */
  readonly script: string;
  readonly service: RunningService;
  readonly listening: Listening;
  /** A page of another site, whose policy allows the script and its requests, and nothing inline. */
  readonly shop: { readonly address: string };
  open(port?: number): Promise<void>;
  stop(): Promise<void>;
  /** A fresh browser, and the errors of its pages. */
  newContext(options?: Parameters<Browser['newContext']>[0]): Promise<{ readonly context: BrowserContext; readonly complaints: string[] }>;
  visit(context: BrowserContext): Promise<Page>;
  /** Sends a text to a user through the outbox. */
  push(userId: string, text: string): Promise<unknown>;
}

/** Opens all of it before the tests of a `describe`, and closes it after them. */
export function chatInPage(): ChatInPage {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-chat-'));
  let service: RunningService;
  let listening: Listening;
  let browser: Browser | undefined;
  let shop: Awaited<ReturnType<typeof listenPlainly>>;
  const chat: ChatInPage = {
    attributes: '',
    bots: ['help'],
    script: join(folder, 'chat.js'),
    get service() {
      return service;
    },
    get listening() {
      return listening;
    },
    get shop() {
      return shop;
    },
    open: async (port = 0) => {
      const opened = await openService(settingsFor(join(folder, 'data')));
      if (opened.chat === undefined) throw new Error('The service has no chat');
      service = { ...opened, chat: { ...opened.chat, widget: await findWidget(chat.script) } };
      listening = await serve(service, { host: '127.0.0.1', port });
      service.listensAt(`http://127.0.0.1:${listening.port}`);
    },
    stop: async () => {
      service.stopAccepting();
      await listening.close(500);
      await service.close();
    },
    newContext: async (options = {}) => {
      if (browser === undefined) throw new Error('No browser');
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(60_000); // of a machine that does much else
      const complaints: string[] = [];
      context.on('console', (line) => {
        if (line.type() === 'error' && !/net::ERR|Failed to load resource/.test(line.text())) complaints.push(line.text());
      });
      context.on('weberror', (error) => complaints.push(error.error().message));
      return { context, complaints };
    },
    visit: async (context) => {
      const page = await context.newPage();
      await page.goto(`http://${shop.address}/`);
      return page;
    },
    push: (userId, text) =>
      service.outbox.accept({ companyId: '1', botId: 'help', userId, knownAs: userId, message: { type: 'text', text } }),
  };

  beforeAll(async () => {
    buildChat(chat.script);
    await chat.open();
    await service.importWorkspace({ workspace: chatWorkspace(help) });
    shop = await listenPlainly((_request, response) => {
      const at = `http://127.0.0.1:${listening.port}`;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src ${at}; connect-src ${at}; img-src ${at}; require-trusted-types-for 'script'`,
      );
      const scripts = chat.bots.map((bot) => `<script src="${at}/chat.js" data-bot="${bot}" ${chat.attributes} defer></script>`).join('');
      response.end(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${scripts}</head><body><main><h1>Shop</h1></main></body></html>`,
      );
    });
  });
  beforeEach(async (context) => {
    chat.attributes = '';
    chat.bots = ['help'];
    browser ??= await startChromium(context);
  });
  afterAll(async () => {
    await browser?.close();
    await shop[Symbol.asyncDispose]();
    await chat.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return chat;
}

export const openChat = (page: Page): Promise<void> => page.getByRole('button', { name: /^Open chat/ }).click();

export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Write a message').fill(text);
  await page.keyboard.press('Enter');
}

export const messages = (page: Page): Promise<string[]> => page.locator('.log .message > p').allTextContents();

/** Who the visitor of a page is to the service. */
export async function userOf(page: Page): Promise<string> {
  const { origins } = await page.context().storageState();
  const kept = origins.flatMap(({ localStorage }) => localStorage);
  const token = kept.find(({ name }) => name.endsWith(' token'))?.value ?? '';
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly sub: string }).sub;
}
