import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

let ofProcess: Registry | undefined;

/**
 * Shows this process, its memory and the delays of its event loop. All services of a process show the same: what measures them is never
 * released, and would keep each service that was closed.
 */
export function collectProcess(registry: Registry): void {
  ofProcess ??= measureProcess();
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name);
    if (metric !== undefined) registry.registerMetric(metric);
  }
}

function measureProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  collectLoopDelay(registry);
  // Sums of what is shown by kind, under a name that says that they are counters.
  for (const name of ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'])
    registry.removeSingleMetric(name);
  return registry;
}

/** What is shown of the delays since the last scrape, by the part of the metric's name that prom-client gives it. */
const figures = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (delays) => delays.percentile(50),
  p90: (delays) => delays.percentile(90),
  p99: (delays) => delays.percentile(99),
} satisfies { readonly [part: string]: (delays: ReturnType<typeof monitorEventLoopDelay>) => number };

/**
 * Shows the delay of the event loop under prom-client's names. Its own gauges show `Nan`, and 292 years as the least delay, to whoever
 * scrapes before a delay was measured, such as the second of two Prometheus servers. These show what was shown last, and nothing at first.
 */
function collectLoopDelay(registry: Registry): void {
  const delays = monitorEventLoopDelay();
  delays.enable();
  const gauges = Object.entries(figures).map(([part, read]) => {
    const name = `nodejs_eventloop_lag_${part}_seconds`;
    registry.removeSingleMetric(name);
    // Each asks for all: whichever is shown first finds what was measured, and the others what that one has set.
    return {
      read,
      gauge: new Gauge({ name, help: `Delay of the event loop since the last scrape: ${part}`, registers: [registry], collect }),
    };
  });
  function collect(): void {
    if (delays.count === 0) return;
    for (const { gauge, read } of gauges) gauge.set(read(delays) / 1e9);
    delays.reset();
  }
}
