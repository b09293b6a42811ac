import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSvg } from '../../../picture/test/svg-tree.ts';
import { accepted, ana, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

const evil = '<b onclick="x">&\'"';
const headers = { authorization: `Bearer ${keys.admin}` };
let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
  await stage.service.keep(order());
  await stage.service.keep({ ...order(), id: 'broken', name: evil, edges: [] }, { publish: false });
  await stage.service.keep({ ...order(), id: 'hidden' }, { companyId: '2' });
});
afterAll(() => stage.service.close());

/** The links of a page; a data URL of an icon is none. */
const linksOf = (text: string): readonly string[] => [...text.matchAll(/href="(?!data:)([^"]+)"/g)].map(([, link = '']) => link);

const pageAt = async (path: string): Promise<string> => {
  const { status, body, headers: answered } = await stage.call(path, { headers });
  const text = String(body);
  expect(status).toBe(200);
  expect(text).not.toMatch(/<script|<link|<img|src=|style="|<b /i);
  expect(answered.get('content-type')).toMatch(/^text\/html/);
  expect(answered.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  return text;
};

describe('the studio', () => {
  it('shows the workflows of each company with their state, and the latest executions (T20)', async () => {
    const { executionId } = accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
    await stage.service.engine.whenIdle();
    const text = await pageAt('/studio/');
    const rows = text.split(/<\/?tr>/).map((row) =>
      row
        .replace(/<[^>]*>|\s+/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
    );
    expect(rows).toContainEqual('order 1 as published, no problems');
    expect(rows).toContainEqual(expect.stringMatching(/^&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;&quot; none not published, \d+ errors/));
    expect(rows.find((row) => row.startsWith(executionId))).toMatch(new RegExp(`order v1 waiting for timer ${ana} 2`));
    expect(linksOf(text)).toEqual(['1/broken', '1/order', '2/hidden']);
  });

  it('draws a workflow, and lists the problems of its draft', async () => {
    const text = await pageAt('/studio/1/broken');
    expect(text).toContain('PORT_WITHOUT_EDGE');
    const [svg = ''] = /<svg[^]*<\/svg>/.exec(text) ?? [];
    expect(parseSvg(svg).name).toBe('svg');
  });

  it('answers 404 for an unknown workflow', async () => {
    for (const path of ['/studio/1/hidden', '/studio/9/order'])
      expect(await stage.call(path, { headers })).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
  });

  it('opens through the login page, and leads from its address without the slash (P27)', async () => {
    const browser = { accept: 'text/html' };
    for (const path of ['/studio', '/studio/', '/studio/1/order']) {
      expect(await stage.call(path)).toMatchObject({ status: 401 });
      const { status, body } = await stage.call(path, { headers: browser });
      expect({ status, isLogin: /action="(?:\.\.\/)*admin\/v1\/login"/.test(String(body)) }).toEqual({ status: 401, isLogin: true });
    }
    const moved = await stage.call('/studio', { headers });
    expect({ status: moved.status, to: moved.headers.get('location') }).toEqual({ status: 302, to: 'studio/' });
  });

  const hosts: readonly (readonly [string, (app: Stage['app']) => (request: Request) => Response | Promise<Response>])[] = [
    ['at the root', (app) => app.fetch],
    ['by route() of Hono', (app) => new Hono().route('/bots/hilo', app).fetch],
    ['by mount() of Hono', (app) => new Hono().mount('/bots/hilo', app.fetch).fetch],
  ];
  it.each(hosts)('is left by no link, mounted %s', async (where, mount) => {
    const fetched = mount(stage.app);
    const begin = `http://x.example${where === 'at the root' ? '' : '/bots/hilo'}/`;
    const seen = new Set<string>();
    const visit = async (url: string): Promise<void> => {
      if (seen.has(url)) return;
      seen.add(url);
      const response = await fetched(new Request(url, { headers }));
      const to = response.headers.get('location');
      expect({ url, status: response.status }).toEqual({ url, status: to === null ? 200 : 302 });
      for (const link of to === null ? linksOf(await response.text()) : [to]) await visit(new URL(link.split('#', 1)[0] || '?', url).href);
    };
    await visit(`${begin}studio`);
    await visit(`${begin}docs`);
    expect([...new Set([...seen].map((url) => url.replace(begin, '').replace(/\?.*/, '')))].toSorted()).toEqual(
      ['docs', 'openapi.json', 'studio', 'studio/', 'studio/1/broken', 'studio/1/order', 'studio/2/hidden'].toSorted(),
    );
  });
});
