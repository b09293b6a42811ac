import { createDialer } from '@hilo/drivers';
import type { Channel } from '@hilo/engine/contract';
import type { MediaType } from '@hilo/nodes';
import { createVirtualClock } from '@hilo/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaCheck, type MediaCheck } from '../../src/messages/media/media-check.ts';
import { made, type Served, startMediaHost } from './media-host.ts';
import { ana, messageIdOf, restStage } from './rest-stage.ts';

const KB = 1024;
const MB = 1_048_576;

let host: Awaited<ReturnType<typeof startMediaHost>>;
let dialer: ReturnType<typeof createDialer>;
let check: MediaCheck;
beforeAll(async () => {
  host = await startMediaHost();
  // No time passes in a look at a file: a busy machine has as long as it takes to send the largest.
  const clock = createVirtualClock();
  dialer = createDialer({ allow: [host.host], ca: host.ca, clock });
  check = createMediaCheck(dialer, clock);
});
afterAll(async () => {
  await dialer.close();
  await host.close();
});

const lookAt = (url: string, type: MediaType, channel: Channel = 'whatsapp') => check({ url, type, channel, companyId: '1' });
async function verdictOf(served: Served, type: MediaType, channel: Channel = 'whatsapp'): Promise<string> {
  const verdict = await lookAt(host.serve(served), type, channel);
  return verdict.kind === 'fits' ? 'fits' : verdict.code;
}

const [bad, large, odd] = ['INVALID_MEDIA_URL', 'MEDIA_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

describe('the size of a file', () => {
  it.each<readonly [MediaType, Channel, number, string, (sizeBytes: number) => Uint8Array]>([
    ['image', 'whatsapp', 5 * MB, 'image/jpeg', made.jpeg],
    ['image', 'facebook', 8 * MB, 'image/png', made.png],
    ['image', 'instagram', 8 * MB, 'image/jpeg', made.jpeg],
    ['video', 'facebook', 25 * MB, 'video/mp4', made.mp4],
    ['audio', 'instagram', 25 * MB, 'audio/ogg', made.ogg],
    ['file', 'instagram', 25 * MB, 'application/pdf', made.pdf],
    ['sticker', 'whatsapp', 100 * KB, 'image/webp', made.webp],
    ['audio', 'whatsapp', 16 * MB, 'audio/ogg', made.ogg],
    ['video', 'whatsapp', 16 * MB, 'video/mp4', made.mp4],
  ])('of type %s on %s is at most %s bytes, those included (MED-03 to MED-05)', async (type, channel, maxBytes, contentType, make) => {
    expect(await verdictOf({ bytes: make(maxBytes), type: contentType }, type, channel)).toBe('fits');
    expect(await verdictOf({ bytes: make(maxBytes + 1), type: contentType }, type, channel)).toBe(large);
  });

  it.each(['no-range', 'no-head', 'drops-head', 'unknown-size', 'no-length'] as const)(
    'is found on a host with the habit %s (MED-02)',
    async (habit) => {
      const file = (sizeBytes: number): Served => ({ bytes: made.jpeg(sizeBytes), type: 'image/jpeg', habit });
      expect(await verdictOf(file(5 * MB), 'image')).toBe('fits');
      expect(await verdictOf(file(5 * MB + 1), 'image')).toBe(large);
    },
  );

  it('is counted as it comes: a file without an end is cut off (P33)', async () => {
    expect(await verdictOf({ bytes: made.jpeg(64 * KB), type: 'image/jpeg', habit: 'endless' }, 'image')).toBe(large);
  });

  it('sends a HEAD and a GET of the first bytes (MED-02)', async () => {
    const before = host.asked.length;
    const url = host.serve({ bytes: made.png(MB), type: 'image/png' });
    expect(await lookAt(url, 'image')).toEqual({ kind: 'fits' });
    const path = new URL(url).pathname;
    expect(host.asked.slice(before)).toEqual([`HEAD ${path}`, `GET ${path} bytes=0-4099`]);
  });
});

describe('the type of a file', () => {
  it.for<readonly [what: string, served: Served, type: MediaType, expected: string, channel?: Channel]>([
    ['a JPEG', { bytes: made.jpeg(), type: 'image/jpeg' }, 'image', 'fits'],
    ['a JPEG with parameters in capitals', { bytes: made.jpeg(), type: 'IMAGE/JPEG; q=1' }, 'image', 'fits'],
    ['a JPEG whose host does not know it', { bytes: made.jpeg(), type: 'application/octet-stream' }, 'image', 'fits'],
    ['a PNG whose host says nothing', { bytes: made.png() }, 'image', 'fits'],
    ['a PNG with no chunk that is known', { bytes: new Uint8Array([...made.png().subarray(0, 8), 0, 0, 0, 0]) }, 'image', 'fits'],
    ['the first half of its signature', { bytes: made.png().subarray(0, 4), type: 'image/png' }, 'image', odd],
    ['a GIF', { bytes: made.gif(), type: 'image/gif' }, 'image', odd],
    ['a GIF that says it is a PNG', { bytes: made.gif(), type: 'image/png' }, 'image', odd],
    ['a PNG that says it is a GIF', { bytes: made.png(), type: 'image/gif' }, 'image', odd],
    ['bytes of no type', { bytes: new Uint8Array(2_000), type: 'image/png' }, 'image', odd],
    ['nothing', { bytes: new Uint8Array(), type: 'image/png', habit: 'no-range' }, 'image', odd],
    ['a WebP as an image', { bytes: made.webp(), type: 'image/webp' }, 'image', odd],
    ['a WebP as a sticker', { bytes: made.webp(), type: 'image/webp' }, 'sticker', 'fits'],
    ['a PNG as a sticker', { bytes: made.png(), type: 'image/png' }, 'sticker', odd],
    ['an MP4 that says it is sound', { bytes: made.mp4(), type: 'audio/mp4' }, 'audio', 'fits'],
    ['sound of no known beginning', { bytes: new Uint8Array(2_000), type: 'audio/aac' }, 'audio', 'fits'],
    ['the same of an unknown host', { bytes: new Uint8Array(2_000) }, 'audio', odd],
    ['a JPEG that says it is sound', { bytes: made.jpeg(), type: 'audio/mpeg' }, 'audio', odd],
    ['any sound on facebook', { bytes: made.ogg(), type: 'audio/ogg' }, 'audio', 'fits', 'facebook'],
    ['a video as sound on facebook', { bytes: made.jpeg(), type: 'video/mp4' }, 'audio', odd, 'facebook'],
    ['a PDF on instagram', { bytes: made.pdf(), type: 'application/pdf' }, 'file', 'fits', 'instagram'],
    ['a PNG as a file on instagram', { bytes: made.png(), type: 'image/png' }, 'file', odd, 'instagram'],
    ['any file on whatsapp', { bytes: new Uint8Array(9), type: 'application/x-thing' }, 'file', 'fits'],
    ['any image where nothing is said (MED-06)', { bytes: made.gif(), type: 'image/gif' }, 'image', 'fits', 'slack'],
  ])('is judged by header and bytes: %s (MED-03, MED-05, MED-06)', async ([, served, type, expected, channel]) => {
    expect(await verdictOf(served, type, channel)).toBe(expected);
  });

  it.each<readonly [string, Served]>([
    ['by its header', { bytes: made.jpeg(), type: 'text/html' }],
    ['by a header with parameters', { bytes: made.jpeg(), type: 'Text/HTML; charset=utf-8' }],
    ['as XHTML', { bytes: made.jpeg(), type: 'application/xhtml+xml' }],
    ['by its bytes', { bytes: made.html(), type: 'image/png' }],
    ['behind blanks', { bytes: made.html('\n \t<HTML lang="en">'), type: 'application/pdf' }],
    ['behind a byte order mark', { bytes: made.html('\ufeff<!doctype html>') }],
    ['where HEAD is refused', { bytes: made.jpeg(), type: 'text/html', habit: 'no-head' }],
    ['where HEAD is not answered', { bytes: made.jpeg(), type: 'text/html', habit: 'drops-head' }],
  ])('is never a page, %s (MED-01, MED-02)', async (_what, served) => {
    expect(await verdictOf(served, 'file')).toBe(bad);
    expect(await verdictOf(served, 'file', 'web')).toBe(bad);
  });
});

describe('the way to a file', () => {
  const redirects = (count: number): string =>
    count === 0 ? host.serve({ bytes: made.png(), type: 'image/png' }) : host.serve({ bytes: made.png(), location: redirects(count - 1) });

  it('follows three redirects and no more (MED-02)', async () => {
    expect(await lookAt(redirects(3), 'image')).toEqual({ kind: 'fits' });
    expect(await lookAt(redirects(4), 'image')).toMatchObject({ code: bad });
  });

  it.each([
    'http://10.0.0.1/a.png',
    'https://10.0.0.1/a.png',
    'https://127.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/a.png',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://user:word@127.0.0.1/',
    'ftp://files.example/a.png',
    'https://127.0.0.1:22/',
  ])('never leads to %s, by a redirect as little as at once (MED-01, P30)', async (target) => {
    expect(await lookAt(target, 'image')).toMatchObject({ kind: 'refused', code: bad });
    expect(await verdictOf({ bytes: made.png(), location: target }, 'image')).toBe(bad);
  });

  it.each([401, 403, 404, 410, 500, 503])('ends at status %s (MED-01)', async (status) => {
    expect(await verdictOf({ bytes: made.png(), status }, 'image')).toBe(bad);
  });

  it('ends after five seconds of silence (MED-02, P13)', async () => {
    const clock = createVirtualClock();
    const patient = createDialer({ allow: [host.host], ca: host.ca, clock });
    const before = host.asked.length;
    const url = host.serve({ bytes: made.png(), habit: 'silent' });
    const looking = createMediaCheck(patient, clock)({ url, type: 'image', channel: 'whatsapp', companyId: '1' });
    await expect.poll(() => host.asked.length).toBe(before + 1);
    clock.advanceBy(4_999);
    clock.advanceBy(1);
    expect(await looking).toMatchObject({ kind: 'refused', code: bad });
    expect(host.asked).toHaveLength(before + 1);
    await patient.close();
  });

  it('ends after ten seconds in all, however often bytes arrive (MED-02, P13)', async () => {
    const clock = createVirtualClock();
    const asked: number[] = [];
    const answer = { status: 206, headers: { 'content-type': 'image/png' }, body: made.png(), url: '', retryAfterMs: undefined };
    const slow = {
      request: async ({ timeoutMs }: { readonly timeoutMs: number }) => {
        asked.push(timeoutMs);
        clock.advanceBy(timeoutMs - 1);
        return answer;
      },
    };
    expect(await createMediaCheck(slow, clock)({ url: 'https://a.example/', type: 'image', channel: 'whatsapp', companyId: '1' })).toEqual({
      kind: 'fits',
    });
    expect(asked).toEqual([5_000, 5_000, 2]);
  });

  it('shows no path and no query in its message (P31)', async () => {
    const verdict = await lookAt(host.url('/hidden-path?token=hidden-token'), 'image');
    expect(verdict).toMatchObject({ code: bad });
    expect(JSON.stringify(verdict)).not.toContain('hidden');
  });

  it('is trusted under the operator’s authority alone (MED-01)', async () => {
    const stranger = createDialer({ allow: [host.host] });
    const url = host.serve({ bytes: made.png(), type: 'image/png' });
    expect(await createMediaCheck(stranger, createVirtualClock())({ url, type: 'image', channel: 'web', companyId: '1' })).toMatchObject({
      code: bad,
    });
    await stranger.close();
  });
});

describe('a message with a file', () => {
  it('is sent when the file is there and fits, under HILO_EGRESS_ALLOW and HILO_EGRESS_CA', async () => {
    await using stage = await restStage({ settings: { egressAllow: [host.host], egressCa: host.egressCa }, looksAtFiles: true });
    const send = (mediaUrl: string) => stage.send({ type: 'image', userId: ana, mediaUrl });
    messageIdOf(await send(host.serve({ bytes: made.png(MB), type: 'image/png' })));
    for (const [served, error] of [
      [{ bytes: made.png(6 * MB), type: 'image/png' }, large],
      [{ bytes: made.gif(), type: 'image/gif' }, odd],
      [{ bytes: made.html(), type: 'text/html' }, bad],
      [{ bytes: made.png(), status: 403 }, bad],
    ] as const)
      expect(await send(host.serve(served))).toEqual({ status: 400, body: { error, message: expect.any(String) as string } });
    expect(await send('https://10.0.0.1/a.png')).toMatchObject({ status: 400, body: { error: bad } });
    expect((await stage.service.messages.list('1', 'bot_wa', { limit: 9 })).results).toHaveLength(1);
  });
});
