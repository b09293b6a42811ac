import { createHmac } from 'node:crypto';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { withPlace } from '../data/open-for-test.ts';
import { listen } from '../process/listening.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const secretWords = ['Ana-Maria', 'A-17-canary', 'hk_acme_0123456789abcdef'];

/** A company whose canvas calls the company's own system, and sends its answer to the user. */
const workspace = (ordersUrl: string) => ({
  companies: [
    {
      id: 1,
      name: 'Shop',
      plan: 'free',
      apiKeys: [{ id: 'key', key: 'hk_acme_0123456789abcdef' }],
      bots: [
        {
          id: 'bot_web',
          name: 'Shop',
          channel: 'web',
          connectedAt: '2026-01-01T00:00:00Z',
          provider: { kind: 'custom', url: `${ordersUrl}/messages`, appSecret: 'inbound-secret-web' },
        },
      ],
      workflows: [
        {
          publish: true,
          canvas: {
            schemaVersion: 1,
            id: 'order',
            name: 'Order',
            nodes: [
              { id: 'begin', type: 'start', data: { keywords: ['order'] } },
              { id: 'hook', type: 'webhook', data: { variableName: 'in', methods: ['POST'], userIdPath: 'user' } },
              { id: 'look', type: 'api', data: { url: `${ordersUrl}/{{$webhook.in.body.id ?? 'new'}}`, saveAs: '$context.found' } },
              {
                id: 'say',
                type: 'message',
                data: { message: { type: 'text', text: "{{$webhook.in.body.name ?? 'You'}}: {{$context.found.body.state}}" } },
              },
              { id: 'done', type: 'end' },
            ],
            edges: [
              { source: 'begin', target: 'look' },
              { source: 'hook', sourceHandle: 'new', target: 'look' },
              { source: 'look', sourceHandle: 'success', target: 'say' },
              { source: 'say', sourceHandle: 'sent', target: 'done' },
            ],
          },
        },
      ],
    },
  ],
});

/** Sends something to a running service, and lets everything end. @returns the requests to the company's own system */
async function afterwards(
  bring: (app: ReturnType<typeof createApp>) => Promise<Response>,
  look: () => Promise<void> = async () => undefined,
): Promise<readonly { readonly [name: string]: string | string[] | undefined }[]> {
  const came: { readonly [name: string]: string | string[] | undefined }[] = [];
  await using orders = await listen((request, response) => {
    if (request.method === 'GET') came.push(request.headers);
    response.setHeader('content-type', 'application/json').end('{"state":"shipped"}');
  });
  const place = orders.address;
  await withPlace(async ({ open }) => {
    const service = await open({ egressAllow: [place] });
    await service.importWorkspace({ workspace: workspace(`http://${place}`) });
    const answer = await bring(createApp(service));
    expect(answer.status).toBe(200);
    await service.engine.whenIdle();
    await look();
  })();
  return came;
}

const traceparent = `00-${traceId}-${parentId}-01`;

const callOnce = (look?: () => Promise<void>) =>
  afterwards(
    async (app) =>
      app.request('/workflows/v2/webhooks/skill/order/web/hook', {
        method: 'POST',
        headers: { 'x-api-key': 'hk_acme_0123456789abcdef', 'content-type': 'application/json', traceparent },
        body: JSON.stringify({ id: 'A-17-canary', user: '5215512345678', name: 'Ana-Maria' }),
      }),
    look,
  );

/** A channel delivers a message that begins the canvas. */
const deliverOnce = () =>
  afterwards(async (app) => {
    const body = JSON.stringify({
      eventId: 'e-1',
      botId: 'bot_web',
      user: { id: '5215512345678' },
      message: { id: 'm-1', type: 'text', text: 'order' },
      receivedAt: new Date().toISOString(),
    });
    const signature = createHmac('sha256', 'inbound-secret-web').update(body).digest('hex');
    return app.request('/channels/bot_web/webhook', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}`, traceparent, baggage: 'user=Ana-Maria' },
      body,
    });
  });

afterEach(() => {
  trace.disable();
  metrics.disable();
  context.disable();
  propagation.disable();
});

/** Registers an SDK that keeps spans. */
function keepSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return exporter;
}

describe('tracing', () => {
  it('follows a webhook to its advances, effects and messages in the trace of its caller, without user text', async () => {
    const exporter = keepSpans();
    const [call] = await callOnce();
    const spans = exporter.getFinishedSpans();
    const named = (name: string, attributes: object = {}): ReadableSpan => {
      const found = spans.find(
        (span) => span.name === name && Object.entries(attributes).every(([key, value]) => span.attributes[key] === value),
      );
      if (found === undefined) throw new Error(`There is no span ${name} ${JSON.stringify(attributes)}`);
      return found;
    };
    const webhook = named('hilo.webhook', { 'hilo.workflow_id': 'order', 'http.request.method': 'POST' });
    const start = named('hilo.advance', { 'hilo.event': 'start' });
    const api = named('hilo.effect', { 'hilo.effect': 'http.request', 'hilo.node_id': 'look' });
    expect(webhook.parentSpanContext).toMatchObject({ traceId, spanId: parentId });
    expect(start.parentSpanContext?.spanId).toBe(webhook.spanContext().spanId);
    for (const span of [
      named('hilo.advance', { 'hilo.event': 'effect.settled' }),
      api,
      named('hilo.effect', { 'hilo.effect': 'message.send' }),
      named('hilo.send'),
    ])
      expect(span.spanContext().traceId).toBe(traceId);
    expect(call?.['traceparent']).toBe(`00-${traceId}-${api.spanContext().spanId}-01`);
    const told = JSON.stringify(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
    expect(secretWords.filter((word) => told.includes(word))).toEqual([]);
  });

  it('continues the trace of a delivery of a channel, and carries it to what the message causes', async () => {
    const exporter = keepSpans();
    const [call] = await deliverOnce();
    const spans = exporter.getFinishedSpans();
    const message = spans.find(({ name }) => name === 'hilo.message');
    expect(message?.parentSpanContext).toMatchObject({ traceId, spanId: parentId });
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['hilo.advance', 'hilo.effect', 'hilo.send']));
    expect(call?.['traceparent']).toContain(traceId);
    expect(call).not.toHaveProperty('baggage');
  });

  it('makes no span and sends no header where no SDK is registered', async () => {
    const [call] = await callOnce();
    expect(call).not.toHaveProperty('traceparent');
    expect(trace.getActiveSpan()).toBeUndefined();
  });
});

describe('metrics', () => {
  it('are exported to an SDK under the names of /metrics', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    const told = async () => {
      exporter.reset();
      await reader.forceFlush();
      const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      return new Map(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]));
    };

    await callOnce(async () => {
      const values = await told();
      expect(values.get('hilo_executions_started_total')).toMatchObject([{ attributes: { company: '1' }, value: 1 }]);
      expect(values.get('hilo_executions_ended_total')).toMatchObject([{ attributes: { company: '1', status: 'completed' }, value: 1 }]);
      expect(values.get('hilo_executions_accepted')).toMatchObject([{ value: 1 }]);
      expect(values.get('hilo_http_request_duration_seconds')).toMatchObject([
        { attributes: { surface: 'gateway', status: 200 }, value: { count: 1 } },
      ]);
      expect(values.get('hilo_store_commit_duration_seconds')?.[0]?.value).toHaveProperty('count');
      expect([...values.keys()].filter((name) => !name.startsWith('hilo_'))).toEqual([]);
    });
    await reader.shutdown();
  });
});
