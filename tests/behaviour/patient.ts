// A workflow whose call is tried again after a pause, while its user is held.

/**
 * Calls a shop that may take 10 s, again after a pause when that fails, and then asks.
 *
 * @param onMessage - what becomes of what its user writes meanwhile
 */
export const patient = (onMessage: 'queue' | 'discard', delay: string) => ({
  schemaVersion: 1,
  id: 'patient',
  name: 'Patient',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    {
      id: 'call',
      type: 'api',
      data: {
        url: 'https://shop.example',
        timeout: 'PT10S',
        hold: { enabled: true, onMessage },
        retry: { attempts: 3, delay, jitter: 'none' },
      },
    },
    { id: 'sure', type: 'ask', data: { message: { type: 'text', text: 'Shall we?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'sure' },
    { source: 'call', sourceHandle: 'error', target: 'sure' },
    { source: 'sure', sourceHandle: 'answered', target: 'done' },
  ],
});
