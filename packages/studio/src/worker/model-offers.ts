// What a model could answer when it is asked in a test: a text, each tool with a sample of its input, each exit, a refusal, no answer.
import { isJsonObject, type Json } from '@hilo/engine/contract';
import { samplesOfSchema } from '@hilo/nodes/effects';
import type { ModelOffer } from './protocol.ts';

/** As many are offered: a model may be given more tools, which are answered by a line. */
const mostOffers = 40;

/** @param example - a line that answers the request by a text */
export function modelOffers(request: Json, example: string): readonly ModelOffer[] {
  const { tools } = isJsonObject(request) ? request : {};
  const offered = Array.isArray(tools) ? (tools as readonly Json[]).filter(isJsonObject) : [];
  return [
    { kind: 'reply', line: example },
    ...offered.slice(0, mostOffers).flatMap(({ name, inputSchema }): readonly ModelOffer[] => {
      if (typeof name !== 'string' || !/^\w{1,64}$/.test(name)) return [];
      const sample = samplesOfSchema(inputSchema)[0];
      const input = isJsonObject(sample) ? sample : {};
      const exit = /^exit_(?<own>.+)/.exec(name)?.groups?.['own'];
      const hasInput = Object.keys(input).length > 0;
      const given = JSON.stringify(input);
      return [
        exit === undefined
          ? { kind: 'tool', name, line: `model: calls ${name} ${given}`, hasInput }
          : { kind: 'exit', name: exit, line: `model: exits ${exit} ${given}`, hasInput },
      ];
    }),
    { kind: 'refuse', line: 'model: refuses "No."' },
    { kind: 'fail', line: 'model: fails timeout' },
  ];
}
