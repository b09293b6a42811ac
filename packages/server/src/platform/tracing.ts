// Traces of OpenTelemetry.
import type { Trace } from '@hilo/engine';
import {
  type Attributes,
  context,
  propagation,
  ProxyTracerProvider,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** A piece of work for a trace: ids, types and names, and nothing that a user wrote. */
interface Work {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  /** Headers of the causing request: their `traceparent` is the parent. */
  readonly headers?: TraceHeaders;
}

/** Headers by their names in lower case; `traceparent` and `tracestate` count. */
export interface TraceHeaders {
  readonly [name: string]: string;
}

/** No tracer where no SDK is registered: then a trace costs one look at a global. */
function activeTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider ? provider.getDelegateTracer('hilo') : provider.getTracer('hilo');
}

/** Surrounds work with a span of OpenTelemetry that ends when the work does. Of an error it keeps the name and the code alone. */
export function withSpan<Answer>({ name, kind = SpanKind.INTERNAL, attributes, headers }: Work, work: () => Answer): Answer {
  const tracer = activeTracer();
  if (tracer === undefined) return work();
  const parent = headers === undefined ? context.active() : propagation.extract(context.active(), headers);
  return tracer.startActiveSpan(name, { kind, attributes }, parent, (span) => {
    const end = (): void => span.end();
    const fail = (error: unknown): void => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', nameErrorType(error));
      span.end();
    };
    try {
      const answer = work();
      if (answer instanceof Promise) answer.then(end, fail);
      else end();
      return answer;
    } catch (error) {
      fail(error);
      throw error;
    }
  });
}

/** The engine's work as spans: `hilo.advance` with the event, `hilo.effect` with the effect. */
export const traceEngine: Trace = ({ name, companyId, executionId, type, nodeId }, work) =>
  withSpan(
    {
      name: `hilo.${name}`,
      kind: name === 'effect' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: {
        'hilo.company_id': companyId,
        'hilo.execution_id': executionId,
        [name === 'effect' ? 'hilo.effect' : 'hilo.event']: type,
        ...(nodeId !== undefined && { 'hilo.node_id': nodeId }),
      },
    },
    work,
  );

/** What a call carries on, so that the spans of the called service belong to this trace; baggage stays here. */
export function injectTraceHeaders(): TraceHeaders {
  if (activeTracer() === undefined) return {};
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return Object.fromEntries(Object.entries(carrier).filter(([name]) => name === 'traceparent' || name === 'tracestate'));
}

function nameErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
