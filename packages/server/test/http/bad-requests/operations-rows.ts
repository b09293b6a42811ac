// Bad requests to metrics, health and management, each with its answer.
import { keys } from '../fake-service.ts';
import type { Row } from './gateway-rows.ts';

const key = { 'x-api-key': keys.acme };
const admin = { authorization: `Bearer ${keys.admin}` };
export const others: readonly Row[] = [
  ['metrics without the token', '/metrics', {}, 401, 'UNAUTHORIZED'],
  ['metrics with an API key', '/metrics', { headers: key }, 401, 'UNAUTHORIZED'],
  ['metrics with the token in the query', `/metrics?token=${keys.admin}`, {}, 401, 'UNAUTHORIZED'],
  ['metrics with half the token', '/metrics', { headers: { authorization: `Bearer ${keys.admin.slice(1)}` } }, 401, 'UNAUTHORIZED'],
  [
    'metrics with the token twice',
    '/metrics',
    { headers: { authorization: `Bearer ${keys.admin}, Bearer ${keys.admin}` } },
    401,
    'UNAUTHORIZED',
  ],
  [
    'metrics with the token as Basic',
    '/metrics',
    { headers: { authorization: `Basic ${btoa(`admin:${keys.admin}`)}` } },
    401,
    'UNAUTHORIZED',
  ],
  ['metrics with a cookie that holds the token', '/metrics', { headers: { cookie: `hilo_admin=${keys.admin}` } }, 401, 'UNAUTHORIZED'],
  [
    'metrics with a cookie of no key',
    '/metrics',
    { headers: { cookie: `hilo_admin=9999999999999.${'A'.repeat(43)}` } },
    401,
    'UNAUTHORIZED',
  ],
  ['the description without the token', '/openapi.json', {}, 401, 'UNAUTHORIZED'],
  ['the documentation without the token', '/docs', {}, 401, 'UNAUTHORIZED'],
  ['the studio without the token', '/studio/', {}, 401, 'UNAUTHORIZED'],
  ['management without the token', '/admin/v1/nodes', {}, 401, 'UNAUTHORIZED'],
  ['management from this machine', '/admin/v1/nodes', { from: '127.0.0.1', headers: { host: 'localhost' } }, 401, 'UNAUTHORIZED'],
  ['no such management path, without the token', '/admin/v1/nothing', {}, 401, 'UNAUTHORIZED'],
  ['no such management path', '/admin/v1/nothing', { headers: admin }, 404, 'NOT_FOUND'],
  [
    'management with a body too large',
    '/admin/v1/validate',
    { method: 'POST', headers: admin, body: 'x'.repeat(1_048_577) },
    413,
    'INVALID_REQUEST',
  ],
  ['management with another method', '/admin/v1/nodes', { method: 'DELETE', headers: admin }, 404, 'NOT_FOUND'],
  ['a workflow of the studio that is not there', '/studio/1/none', { headers: admin }, 404, 'WORKFLOW_NOT_FOUND'],
  ['login without a token', '/admin/v1/login', { method: 'POST', body: {} }, 400, 'INVALID_REQUEST'],
  ['login with bad JSON', '/admin/v1/login', { method: 'POST', body: '{' }, 400, 'INVALID_REQUEST'],
  [
    'login with a long story',
    '/admin/v1/login',
    { method: 'POST', body: 'a&'.repeat(500_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    400,
    'INVALID_REQUEST',
  ],
  ['login with another token', '/admin/v1/login', { method: 'POST', body: { token: 'guess' } }, 401, 'UNAUTHORIZED'],
  [
    'login from another page',
    '/admin/v1/login',
    { method: 'POST', body: { token: keys.admin }, headers: { origin: 'https://evil.example' } },
    401,
    'UNAUTHORIZED',
  ],
  ['health with another method', '/health/live', { method: 'POST' }, 404, 'NOT_FOUND'],
  ['no such health', '/health/nothing', {}, 404, 'NOT_FOUND'],
  ['nothing at all', '/', {}, 404, 'NOT_FOUND'],
  ['a path of another product', '/wp-login.php', {}, 404, 'NOT_FOUND'],
];
