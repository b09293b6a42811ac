/** The company of a benchmark, with its own parts. */
export const workspaceWith = (own: object): object => ({
  companies: [{ id: 1, name: 'Bench', kind: 'enterprise', plan: 'enterprise', ...own }],
});

/** A bot of the kind that only records what is sent. */
export const bot = (id: string, channel: string, settings: object = {}): object => ({
  id,
  name: id,
  channel,
  connectedAt: '2026-01-01T00:00:00Z',
  provider: { kind: 'log', appSecret: 'bench' },
  settings,
});
