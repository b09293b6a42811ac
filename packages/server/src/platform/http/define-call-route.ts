// Routes that answer calls of Node's own server as well as requests of the framework: the doors that must be fast.
import type { Context } from 'hono';
import { createResponse, readCall, type HttpAnswer, type HttpCall } from './call.ts';
import type { HttpEnv } from './context.ts';
import { buildRoute, type Route, type RouteBase } from './define-route.ts';

/** What a call names, and whose it is. */
export interface CallPlace {
  /** The company of the credential; empty where the caller shows none. */
  readonly companyId: string;
  /** Path parameters, decoded. */
  readonly params: { readonly [name: string]: string };
}

/** Answers a call whose caller is known and whose body is unread. */
export type TakeCall<Parts> = (call: HttpCall, place: CallPlace, parts: Parts) => HttpAnswer | Promise<HttpAnswer>;

/** A route whose handler needs nothing of the framework. */
export interface CallRoute<Parts> extends Route<Parts> {
  readonly take: TakeCall<Parts>;
}

/** Defines a route whose handler reads the call itself: nothing of its query and its headers is judged before. */
export function defineCallRoute<Parts>(definition: RouteBase & { readonly take: TakeCall<Parts> }): CallRoute<Parts> {
  const { take } = definition;
  const answer = async (c: Context<HttpEnv>, parts: Parts): Promise<Response> =>
    createResponse(await take(readCall(c), { companyId: c.get('companyId') ?? '', params: c.req.param() }, parts));
  return { ...buildRoute<Parts>(definition, answer), take };
}
