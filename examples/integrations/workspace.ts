import { readFile } from 'node:fs/promises';

interface Places {
  readonly orders: string;
  readonly taxOffice: string;
  readonly model: string;
}

export const [companyId, botId, userId] = ['1', 'bot', '5215512345678'];
export const [apiKey, appSecret] = ['hk_shop_0123456789abcdef', 'inbound-secret-of-the-shop'];

const examples = new URL('../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, examples), 'utf8');

/** One company, with what its canvases need: credentials by name, a function, and the addresses of the servers. */
export async function shopWorkspace({ orders, taxOffice, model }: Places): Promise<object> {
  const canvas = async (file: string) => {
    const here = (await read(file))
      .replace('https://tax.example', `http://${taxOffice}`)
      .replace('https://models.example', `http://${model}`);
    return { canvas: JSON.parse(here) as unknown, publish: true };
  };
  const files = ['tax-number', 'stamp-card', 'sort-mail', 'greeting', 'pay-order'].map((name) => `canvases/${name}.json`);
  const shop = {
    id: Number(companyId),
    name: 'Shop',
    plan: 'free',
    settings: { ordersUrl: `http://${orders}` },
    apiKeys: [{ id: 'shop-key', key: apiKey }],
    bots: [{ id: botId, name: 'Shop', channel: 'web', connectedAt: '2031-01-01T00:00:00Z', provider: { kind: 'log', appSecret } }],
    users: [{ id: userId, names: 'Ana', phone: userId }],
    functions: [{ id: 'fn_echo', name: 'echo', source: await read('workspace/functions/echo.mjs') }],
    credentials: [
      { id: 'shop', kind: 'sqlite', file: 'shop.db' },
      { id: 'model-key', kind: 'bearer', token: 'sk-of-the-shop-0123456789' },
    ],
    workflows: await Promise.all(['workspace/canvases/order-status.json', ...files].map(canvas)),
  };
  return { companies: [shop] };
}
