/** The key that opens Hilo's webhook; the other servers look at none. */
export const apiKey = 'hk_bench_0123456789abcdef';

/** Who calls Hilo's REST API. */
export const client = { clientId: 'bench', clientSecret: 'bench-secret' };

/** The header of Basic authentication. */
export const authorization = `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`;
