import type { JsonObject } from '@hilo/engine/contract';
import { Message } from '@hilo/nodes/effects';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ConnectedChannel } from '../src/channel-adapter.ts';
import { jsonOf, outbound, provider, refusalProblems } from './stage.ts';

/** How many random messages each channel is tried with: a slice of them unless `HILO_CHANNEL_RUNS` says more. */
const numRuns = Number(process.env['HILO_CHANNEL_RUNS'] ?? 300);

interface Sending {
  connected(): ConnectedChannel;
  /** What the provider answers to each call. */
  readonly answer: JsonObject;
  readonly headers?: { readonly [name: string]: string };
  /** Which of the calls carries the message. */
  readonly isMessage: (url: string) => boolean;
  problemsOf(body: unknown): string;
}

/** Sends random messages. @throws where one is neither a valid request nor a refusal that says why: nothing is dropped in silence */
export const trySending = ({ connected, answer, headers, isMessage, problemsOf }: Sending): Promise<void> =>
  fc.assert(
    fc.asyncProperty(arbitraries.message, async (input) => {
      const { host, calls } = provider(200, answer, { headers });
      const result = await connected().send(outbound(jsonOf(Message.parse(input))), host);
      const sent = calls.filter(({ url }) => isMessage(url));
      const problems = sent.map(({ body }) => problemsOf(JSON.parse(String(body)))).filter((text) => text !== '');
      expect(sent.length > 0 ? [result.kind, ...problems] : refusalProblems(result)).toEqual(sent.length > 0 ? ['sent'] : []);
    }),
    { numRuns },
  );
