/** The key that opens Hilo's webhook; the other servers look at none. */
export const apiKey = 'hk_bench_0123456789abcdef';

/** The number of a WhatsApp bot, as its workspace has it. */
export const whatsapp = {
  kind: 'whatsapp-cloud',
  phoneNumberId: '106540352242922',
  accessToken: 'bench-token',
  appSecret: 'bench-secret',
  verifyToken: 'bench',
} as const;

/** Who calls Hilo's REST API. */
export const client = { clientId: 'bench', clientSecret: 'bench-secret' };

/** The header of Basic authentication. */
export const authorization = `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`;
