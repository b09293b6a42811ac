// Calls a service of Hilo with types: every operation of its interface, from the routes themselves.
export { type ClientOptions, createClient, HiloRequestError } from './client.ts';
export type { HiloClient } from './operations.ts';
export type { RequestOptions } from './request-options.ts';
