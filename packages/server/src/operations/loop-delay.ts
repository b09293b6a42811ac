import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

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
export function collectLoopDelay(registry: Registry): void {
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
