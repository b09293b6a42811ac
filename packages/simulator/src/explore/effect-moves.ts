// What other services may answer to a call that waits: every kind of answer of its contract, and none in time.
import { type EffectDefinition, isJsonObject, type Json, type JsonObject, type Path, type PendingEffect } from '@hilo/engine/contract';
import { callDatabase, callSoap, httpRequest, openCheckout } from '@hilo/nodes/effects';
import type { ScriptInput } from '../script/script-input.ts';
import { type ApiAnswer, apiResult, unreachableReasons } from '../simulation/scripted-api.ts';
import { createOwnEffect, samplesOfResult, type ScriptedEffect, scriptedEffects, shortenAnswer } from '../simulation/scripted-effects.ts';
import type { CompiledNode } from '@hilo/engine/debug';
import { type Move, readSaveAs, type Repertoire, said } from './repertoire.ts';
import { applyEvent, type Frame, type Standing } from './standing.ts';

/** The answers to the call that an execution waits for. */
export function listAnswers(standing: Standing, top: Frame, pending: PendingEffect, { setting, words, asks }: Repertoire): readonly Move[] {
  const { key, type, request, nodeId, limitMs, limitCause } = pending;
  const node = top.canvas.nodes.get(nodeId);
  const move = (inputs: readonly ScriptInput[], value: Json, at = standing): Move => ({
    inputs,
    take: () => applyEvent(said(at, inputs), { type: 'effect.settled', key, settled: { kind: 'result', value }, atMs: at.nowMs }, setting),
  });
  const parts = readMapping(node);
  const contents =
    parts.length > 0
      ? words.contentsIn(parts)
      : words.contentsOf(readSaveAs(node), type === httpRequest.type || type === callSoap.type ? ['body'] : []);
  const wanted = {
    values: type === callDatabase.type ? rowsOf(contents) : [...contents, ...words.near(nodeId), ...words.numbers],
    text: 'The simulated call was told to fail',
  };
  const lateMs = standing.nowMs + limitMs;
  const late: Move = {
    inputs: [{ kind: 'passes', durationMs: limitMs }],
    take: () =>
      applyEvent(
        { ...said(standing, [{ kind: 'passes', durationMs: limitMs }]), nowMs: lateMs },
        { type: 'effect.settled', key, settled: { kind: 'failure', outcome: 'unknown', failure: limitCause }, atMs: lateMs },
        setting,
      ),
  };
  if (type === httpRequest.type)
    return [
      ...httpRequest.samples(request as never, wanted).flatMap((sample) => {
        const answer = readApiAnswer(sample);
        const given = answer === undefined ? undefined : apiResult(answer);
        return answer === undefined || given?.kind !== 'result' ? [] : [move([{ kind: 'apiAnswers', answer }], given.result as Json)];
      }),
      late,
    ];
  const scripted = findScripted(type, asks);
  if (scripted === undefined) return [late];
  const isCheckout = type === openCheckout.type;
  const number = isCheckout ? standing.counts.checkouts + 1 : 1;
  const opened = isCheckout ? { ...standing, counts: { ...standing.counts, checkouts: number } } : standing;
  const given = scripted.effect.samples(request, wanted) as readonly Json[];
  const samples = given.length > 0 ? given : samplesOfResult(scripted.effect, wanted.values);
  return [
    ...samples.map((sample) => {
      const answer = shortenAnswer(scripted, sample);
      return move([{ kind: 'answers', effect: type, answer }], isJsonObject(answer) ? scripted.complete(answer, number) : answer, opened);
    }),
    late,
  ];
}

/** The parts of a body that an API call keeps in variables of their own. */
function readMapping(node: CompiledNode | undefined): readonly { readonly from: Path; readonly path: Path }[] {
  const { responseMapping = [] } = (node?.config ?? {}) as {
    readonly responseMapping?: readonly { readonly from: Path; readonly path: Path }[];
  };
  return responseMapping.flatMap(({ from: [whole, ...from], path }) => (whole === 'body' && from.length > 0 ? [{ from, path }] : []));
}

const findScripted = (type: string, asks: readonly EffectDefinition[]): ScriptedEffect | undefined => {
  const own = asks.find((effect) => effect.type === type);
  return scriptedEffects.find(({ effect }) => effect.type === type) ?? (own === undefined ? undefined : createOwnEffect(own));
};

/** Rows of a table: what is looked for in the first row, else in any. */
const rowsOf = (contents: readonly Json[]): readonly Json[] =>
  contents.flatMap((content): readonly Json[] => {
    const rows =
      isJsonObject(content) && Array.isArray(content['rows'])
        ? (content['rows'] as readonly Json[])
        : Array.isArray(content)
          ? (content as readonly Json[])
          : [content];
    return rows.filter(isJsonObject).slice(0, 1);
  });

/** The answer of an endpoint, as a script gives it. */
function readApiAnswer({ reason, response }: JsonObject): ApiAnswer | undefined {
  if (isJsonObject(response)) {
    const { status, body } = response;
    return typeof status === 'number' ? { status, ...(body !== undefined && body !== null && { body }) } : undefined;
  }
  return unreachableReasons.find((known) => known === reason);
}
