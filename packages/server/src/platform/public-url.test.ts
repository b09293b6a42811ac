import { describe, expect, it } from 'vitest';
import { addressOf, createPublicUrl } from './public-url.ts';

describe('the public address', () => {
  it('is the address where the service listens, once it does', () => {
    const { get, listensAt } = createPublicUrl({ publicUrl: undefined, host: '127.0.0.1', port: 0 });
    expect(get()).toBe('http://127.0.0.1:0');
    listensAt('http://127.0.0.1:41234');
    expect(get()).toBe('http://127.0.0.1:41234');
  });

  it('is that of the settings, wherever the service listens', () => {
    const { get, listensAt } = createPublicUrl({ publicUrl: 'https://bots.example/hilo//', host: '127.0.0.1', port: 3_000 });
    listensAt('http://127.0.0.1:3000');
    expect(get()).toBe('https://bots.example/hilo');
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
    ['bots.example', 'http://bots.example:80'],
  ])('of a service that listens on %s is %s', (host, address) => expect(addressOf({ host, port: 80 })).toBe(address));
});
