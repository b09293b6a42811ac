/** Requests that a host hands over: their bodies are read in their charset, and numbers keep their digits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHostRequest } from './host-input.ts';

const bodyOf = async (body: string | Uint8Array<ArrayBuffer>, type?: string): Promise<unknown> => {
  const headers = type === undefined ? {} : { 'content-type': type };
  return (await readHostRequest(new Request('http://host.test/', { method: 'POST', body: new Blob([body]), headers }))).body;
};

describe('the body of a request that a host hands over', () => {
  it('is read in the charset of its type', async () => {
    const latin = new Uint8Array([0x4a, 0x6f, 0x73, 0xe9]);
    expect(await bodyOf(latin, 'text/plain; charset=iso-8859-1')).toBe('José');
    expect(await bodyOf('José', 'text/plain')).toBe('José');
    expect(await bodyOf('{"name":"José"}', 'application/json; charset="UTF-8"')).toEqual({ name: 'José' });
  });

  it('is refused where its bytes are not of the charset, or nobody knows it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('text/plain', 'application/json', 'application/x-www-form-urlencoded'), async (type) => {
        await expect(bodyOf(new Uint8Array([0x22, 0xe9, 0x22]), type)).rejects.toThrow('not valid UTF-8');
      }),
    );
    await expect(bodyOf('a', 'text/plain; charset=klingon')).rejects.toThrow('not known here');
  });

  it('keeps the digits of an id', async () => {
    expect(await bodyOf('{"id":1152921506151679042}', 'application/json')).toEqual({ id: '1152921506151679042' });
  });
});
