// The site of the documentation: `npm run docs` builds it into docs/.vitepress/dist, `npm run docs:dev` shows it while it is written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { openDocs } from '../../packages/mcp/src/docs.ts';

interface Entry {
  readonly type: string;
  readonly label: string;
  readonly category: string;
}

const catalogue = JSON.parse(readFileSync(new URL('../../packages/nodes/catalogue.json', import.meta.url), 'utf8')) as readonly Entry[];

const item = (text: string, link: string) => ({ text, link });
/** A page that a release may come without. */
const pageIfThere = (text: string, link: string) => (existsSync(new URL(`..${link}.md`, import.meta.url)) ? [item(text, link)] : []);

const nodes = [...Map.groupBy(catalogue, ({ category }) => category)].map(([category, entries]) => ({
  text: category.charAt(0).toUpperCase() + category.slice(1),
  collapsed: true,
  items: entries.map(({ type, label }) => item(label, `/nodes/${type}`)),
}));

/** Where files outside docs/ can be read, such as `https://code.example/hilo/blob/main`; without it they are named and not linked. */
const repository = process.env['HILO_REPOSITORY'];

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** A link that leaves docs/ leads into the repository: the site has no such page. */
function leadIntoRepository(md: MarkdownIt): void {
  md.core.ruler.push('lead-into-repository', ({ tokens, env }) => {
    const { relativePath = '' } = env as { readonly relativePath?: string };
    for (const { children } of tokens) {
      let isRemoved = false;
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
        const target = posix.join('docs', posix.dirname(relativePath), href);
        if (/^(?![a-z]+:|#|\/)/.test(href) && href !== '' && !target.startsWith('docs/')) {
          if (repository === undefined) {
            isRemoved = true;
            token.type = 'text';
            token.content = '';
          } else token.attrSet('href', `${repository}/${target}`);
        } else if (isRemoved && token.type === 'link_close') {
          isRemoved = false;
          token.type = 'text';
          token.content = '';
        }
      }
    }
  });
}

/** Two braces are the language of canvases here, and never an expression of the site. */
function showBraces(md: MarkdownIt): void {
  const escaped = (text: string): string => md.utils.escapeHtml(text).replaceAll('{', '&#123;');
  md.renderer.rules.text = (tokens, index) => escaped(tokens[index]?.content ?? '');
  md.renderer.rules.code_inline = (tokens, index) => `<code v-pre>${escaped(tokens[index]?.content ?? '')}</code>`;
}

export default defineConfig({
  /** Pages for language models: an index, the pages that it leads to as they are written, and everything in one file. */
  buildEnd({ outDir }) {
    const docs = openDocs();
    writeFileSync(posix.join(outDir, 'llms.txt'), docs.describe());
    writeFileSync(posix.join(outDir, 'llms-full.txt'), docs.readAll());
    for (const page of docs.pages) {
      mkdirSync(posix.join(outDir, posix.dirname(page)), { recursive: true });
      writeFileSync(posix.join(outDir, `${page}.md`), docs.read(page) ?? '');
    }
  },
  title: 'Hilo',
  description: 'A workflow engine for conversational bots',
  base: process.env['HILO_DOCS_BASE'] ?? '/',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'channels/README.md': 'channels/index.md' },
  markdown: {
    config(md) {
      leadIntoRepository(md);
      showBraces(md);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [item('Canvases', '/canvas'), item('Nodes', '/nodes'), item('Embedding', '/embedding'), item('Operating', '/operating')],
    sidebar: [
      {
        text: 'Writing canvases',
        items: [
          item('Canvases', '/canvas'),
          item('Expressions', '/expressions'),
          item('Messages', '/messages'),
          item('Forms', '/forms'),
          item('Problems', '/problems'),
          item('The workspace file', '/workspace'),
          item('Testing', '/testing'),
          item('The studio', '/studio'),
          item('Coding agents', '/agents'),
        ],
      },
      { text: 'Nodes', items: [item('All nodes', '/nodes'), ...nodes] },
      {
        text: 'Building with Hilo',
        items: [
          item('Embedding', '/embedding'),
          item('Effects and drivers', '/effects'),
          item('A node of your own', '/own-nodes'),
          item('A channel of your own', '/own-channel'),
          item('A resource of your own', '/own-resource'),
        ],
      },
      {
        text: 'Running the service',
        items: [
          item('Operating', '/operating'),
          item('Changing what runs', '/change'),
          item('Access', '/access'),
          item('Contacts', '/contacts'),
          item('Consent', '/consent'),
          item('Campaigns', '/campaigns'),
          item('Templates', '/templates'),
          item('Channels', '/channels/'),
          item('Callbacks', '/callbacks'),
          item('Events', '/events'),
          item('Routes', '/routes'),
          item('Calling it from a program', '/client'),
          ...pageIfThere('Scaling', '/scaling'),
        ],
      },
      { text: 'Below the surface', items: [item('Rules', '/rules'), item('The statechart', '/statechart')] },
    ],
  },
});
