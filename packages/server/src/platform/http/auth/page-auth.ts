import type { MiddlewareHandler } from 'hono';
import type { Service } from '../../../service.ts';
import { adminDoor, isLoggedIn, operatorOf } from './admin-auth.ts';
import type { HttpEnv } from '../context.ts';
import type { FailedLogins } from './failed-logins.ts';
import { loginPage } from './login.ts';

/** The admin door for pages: a browser without a session gets the login page instead of a refusal (P27, T20). */
export function pageDoor(service: Service, failedLogins: FailedLogins): MiddlewareHandler<HttpEnv> {
  const door = adminDoor(service, failedLogins);
  return async (c, next) => {
    const mayLogIn = c.req.header('authorization') === undefined && c.req.header('accept')?.includes('text/html') === true;
    const isKnown = async (): Promise<boolean> => (await isLoggedIn(c, service)) || (await operatorOf(c, service)) !== undefined;
    return mayLogIn && !(await isKnown()) ? loginPage(c) : door(c, next);
  };
}
