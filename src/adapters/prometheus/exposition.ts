import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Metric, Sample, TimedSample } from '../../ports/metrics.ts';

export interface Exposition {
  readonly add: (metrics: readonly Metric[]) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** As the registry of prom-client prints it. */
interface PrintedValue {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const printedSample = ({ labels, value }: Sample): PrintedValue => ({ labels, value });

/** A bucket of Prometheus counts all that is below its bound, those of the smaller ones too. */
const printedTimings =
  (name: string, boundsSeconds: readonly number[]) =>
  ({ labels, counts, sumSeconds }: TimedSample): PrintedValue[] => {
    let count = 0;
    const buckets = counts.map((inBucket, index) => {
      count += inBucket;
      const le = String(boundsSeconds[index] ?? '+Inf');
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };

const valuesOf = async (metric: Metric): Promise<PrintedValue[]> =>
  metric.kind === 'histogram'
    ? (await metric.read()).flatMap(printedTimings(metric.name, metric.boundsSeconds))
    : (await metric.read()).map(printedSample);

/** The metrics in the text that Prometheus reads, with what Node tells about the process. */
export function createExposition(): Exposition {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return {
    add: (metrics) => {
      for (const metric of metrics) {
        const { name, help, kind: type } = metric;
        // Its classes keep numbers of their own. The registry asks no more of a metric than its name and what to print.
        const printed = { get: async () => ({ name, help, type, values: await valuesOf(metric) }) };
        register.registerMetric(Object.assign(new Gauge({ name, help, registers: [] }), printed));
      }
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}
