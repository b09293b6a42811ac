import { metrics, type Observable, type ObservableCallback } from '@opentelemetry/api';
import { Counter, Gauge, Histogram, type HistogramConfiguration, type Registry } from 'prom-client';

// Exports the metrics of `/metrics` to the OpenTelemetry SDK too, under the same names. Without an SDK the API's meter does nothing: no
// callback is called, and a recorded value costs an empty call.

/** The meter of the SDK that is registered when the service opens. */
const meter = () => metrics.getMeter('hilo');

/** Measures durations for `/metrics` and for OpenTelemetry. */
export function createDurations<Label extends string = never>(
  configuration: HistogramConfiguration<Label> & { readonly buckets: number[] },
): { observe(labels: { readonly [Name in Label]: string | number }, seconds: number): void } {
  const { name, help, buckets } = configuration;
  const shown = new Histogram(configuration);
  const histogram = meter().createHistogram(name, { description: help, unit: 's', advice: { explicitBucketBoundaries: buckets } });
  return {
    observe(labels, seconds) {
      shown.observe(labels, seconds);
      histogram.record(seconds, labels);
    },
  };
}

/**
 * Exports Hilo's counters and gauges of a registry to an SDK, each time it collects. Metrics of the process come from the SDK's own
 * instrumentation.
 *
 * @param isAccepting - once false, nothing is exported any more: the store is about to be closed
 */
export function exportMetrics(registry: Registry, isAccepting: () => boolean): void {
  for (const { name, help: description } of registry.getMetricsAsArray()) {
    const metric = name.startsWith('hilo_') ? registry.getSingleMetric(name) : undefined;
    if (metric instanceof Counter) follow(metric, meter().createObservableCounter(name, { description }), isAccepting);
    if (metric instanceof Gauge) follow(metric, meter().createObservableGauge(name, { description }), isAccepting);
  }
}

function follow(metric: Counter | Gauge, instrument: Observable, isAccepting: () => boolean): void {
  const observe: ObservableCallback = async (result) => {
    if (!isAccepting()) return instrument.removeCallback(observe);
    for (const { value, labels } of (await metric.get()).values) result.observe(value, { ...labels });
  };
  instrument.addCallback(observe);
}
