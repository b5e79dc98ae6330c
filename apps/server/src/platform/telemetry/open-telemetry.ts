import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import {
  DiagLogLevel,
  diag,
  type HrTime,
  type Meter,
  ROOT_CONTEXT,
  type Span as Recorded,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  ValueType,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { readMetricLines } from './metric-lines.ts';
import type { Attributes, Origin, Span, SpanFacts, Spans } from './spans.ts';

export type TelemetryOptions = {
  /** Address of the collector, below which `/v1/traces` and `/v1/metrics` are (OTLP over HTTP, JSON). */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Share of the traces that are sent, from 0 to 1. */
  share: number;
  /** Chooses them, so that no one else can: only who knows it can tell which ids are sent. */
  chooser: Uint8Array;
  serviceName: string;
  release: string;
  roles: readonly string[];
  /** Returns the lines of `/metrics`, once there are any. */
  metricLines: () => Promise<readonly string[]>;
  log: Log;
  clock: () => Date;
};

export type Telemetry = {
  spans: Spans;
  /** Sends what waits. */
  flush(): Promise<void>;
  /** Sends what waits, for two seconds at most, and ends. */
  close(): Promise<void>;
};

/** Spans that wait to be sent; more are dropped, so that a collector that is away costs no more than their memory. */
const MAX_WAITING = 4_096;
const MAX_SENT_TOGETHER = 512;
const SEND_EVERY_MS = 5 * SECOND_MS;
const SEND_LIMIT_MS = 10 * SECOND_MS;
const CLOSE_MS = 2 * SECOND_MS;
/** Parts of one request or task that are told; of more, their number is. */
const MAX_PARTS = 500;
/** Requests and tasks that are told under one trace id: a caller chooses the id, and a change of thousands of mails has one. Later ones get an id of their own. */
const MAX_OF_TRACE = 100;
/** Trace ids that are counted at a time. */
const MAX_COUNTED = 10_000;
/** Asked for at a time. */
const RANDOM_BYTES = 8_192;
/** Seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A request or task that is under way. */
type Root = { asked: string; parts: number; leftOut: number };
/** The work that is open in this async context; `recorded` is null where it isn't sent. */
type Open = { root: Root; recorded: Recorded } | { root: null; recorded: null };
const notSent: Open = { root: null, recorded: null };
/** The span that one is a part of, or the trace that it begins. */
type Under = { span: Recorded } | { traceId: string; spanId: string | undefined };

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;

/**
 * Sends traces and metrics to a collector of OpenTelemetry. Only this file and what it loads know the libraries, and it is loaded only where the setting names a collector.
 *
 * The `traceparent` of a caller gives the trace its id, which people see too, and the span its parent. It neither decides whether the trace is sent, nor how many are sent
 * under its id.
 */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { serviceName, release, roles, log } = options;
  warnThrough(log);
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': release,
    'service.instance.id': randomUUID(),
    'registry.roles': roles.join(','),
  });
  const tracers = openTracers(options, resource);
  const meters = openMeters(options, resource);
  return {
    spans: recorderOf(options, tracers.start, durationsIn(meters.getMeter('myregistry', release))),
    flush: async () => void (await Promise.allSettled([tracers.provider.forceFlush(), meters.forceFlush()])),
    close: async () => {
      const sent = Promise.allSettled([tracers.provider.shutdown(), meters.shutdown()]);
      await Promise.race([sent, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

const collectorAt = ({ url, headers }: TelemetryOptions, path: string) => ({
  url: `${url}${path}`,
  headers: { ...headers },
  timeoutMillis: SEND_LIMIT_MS,
  concurrencyLimit: MAX_WAITING / MAX_SENT_TOGETHER,
});

/** Opens what sends spans. `start` begins one. */
function openTracers(options: TelemetryOptions, resource: Resource) {
  /** The id of the trace that is begun next. */
  let nextTraceId: string | null = null;
  const provider = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(collectorAt(options, '/v1/traces')),
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_SENT_TOGETHER,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_LIMIT_MS,
      }),
    ],
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 1_000, eventCountLimit: 0, linkCountLimit: 0 },
    idGenerator: {
      generateTraceId: () => nextTraceId ?? newId(16),
      generateSpanId: () => newId(8),
    },
  });
  const tracer = provider.getTracer('myregistry', options.release);
  const start = ({ name, kind, attributes = {} }: SpanFacts, under: Under): Recorded => {
    const about = { kind: kinds[kind], attributes: { ...attributes } };
    if ('span' in under) return tracer.startSpan(name, about, trace.setSpan(ROOT_CONTEXT, under.span));
    const { traceId, spanId } = under;
    const caller = spanId === undefined ? null : { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    if (caller) return tracer.startSpan(name, about, trace.setSpanContext(ROOT_CONTEXT, caller));
    nextTraceId = traceId;
    try {
      return tracer.startSpan(name, about, ROOT_CONTEXT);
    } finally {
      nextTraceId = null;
    }
  };
  return { provider, start };
}

/** Opens what sends metrics, once a minute: those of `/metrics`, and durations. */
function openMeters(options: TelemetryOptions, resource: Resource): MeterProvider {
  const { clock, metricLines } = options;
  const processStart = hrTime(clock().getTime() - performance.now());
  const collect = async () => ({
    resourceMetrics: { resource, scopeMetrics: await metricsOf(metricLines, processStart, clock) },
    errors: [],
  });
  return new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(collectorAt(options, '/v1/metrics')),
        exportIntervalMillis: MINUTE_MS,
        exportTimeoutMillis: SEND_LIMIT_MS,
        metricProducers: [{ collect }],
      }),
    ],
  });
}

/** Returns a function that records how long a request or a task took, in seconds. */
function durationsIn(meter: Meter): (facts: SpanFacts, seconds: number, told: Attributes) => void {
  const advice = { explicitBucketBoundaries: bounds };
  const requests = meter.createHistogram('http.server.request.duration', { unit: 's', advice });
  const works = meter.createHistogram('registry.work.duration', { unit: 's', advice });
  return ({ name }, seconds, told) => {
    if ('http.route' in told) requests.record(seconds, pick(told, requestLabels));
    else works.record(seconds, { 'registry.work': name, ...pick(told, workLabels) });
  };
}

/** Returns what begins spans: it chooses the traces that are sent, and bounds them. */
function recorderOf(
  { share, chooser }: Pick<TelemetryOptions, 'share' | 'chooser'>,
  start: (facts: SpanFacts, under: Under) => Recorded,
  measure: ReturnType<typeof durationsIn>,
): Spans {
  const opened = new AsyncLocalStorage<Open>();
  const perTrace = new Map<string, number>();
  const key = Buffer.from(chooser).toString('hex');
  const isChosen = (traceId: string): boolean =>
    share >= 1 || (share > 0 && Number.parseInt(hash('sha256', key + traceId).slice(0, 8), 16) < share * 2 ** 32);
  /** Whether this is one too many under the id. */
  const isCrowded = (traceId: string): boolean => {
    const count = (perTrace.get(traceId) ?? 0) + 1;
    perTrace.set(traceId, count);
    if (perTrace.size > MAX_COUNTED) perTrace.delete(perTrace.keys().next().value!);
    return count > MAX_OF_TRACE;
  };
  const part = (facts: SpanFacts, { root, recorded }: Open): Span | null => {
    if (root === null) return null;
    if (root.parts >= MAX_PARTS) {
      root.leftOut += 1;
      return null;
    }
    root.parts += 1;
    const own = start(facts, { span: recorded });
    return spanOf(own, opened, { root, recorded: own });
  };
  const begin = (facts: SpanFacts, { traceId, spanId }: Origin): Span => {
    // Work that nothing caused has none, or one of zeros.
    const asked = traceId !== undefined && /^(?!0+$)[0-9a-f]{32}$/.test(traceId) ? traceId : newId(16);
    const open = opened.getStore();
    // A read of several that were asked for together.
    const within = open?.root?.asked === asked ? part(facts, open) : null;
    if (within) return within;
    const began = performance.now();
    const note = (told: Attributes): void => measure(facts, (performance.now() - began) / SECOND_MS, { ...facts.attributes, ...told });
    if (!isChosen(asked)) return spanOf(null, opened, notSent, note);
    const crowded = isCrowded(asked);
    const recorded = start(facts, crowded ? { traceId: newId(16), spanId: undefined } : { traceId: asked, spanId });
    // The id that people see.
    if (crowded) recorded.setAttribute('registry.trace_id', asked);
    const root: Root = { asked, parts: 0, leftOut: 0 };
    return spanOf(recorded, opened, { root, recorded }, told => {
      if (root.leftOut > 0) recorded.setAttribute('registry.spans_left_out', root.leftOut);
      note(told);
    });
  };
  return {
    begin,
    child(facts, own) {
      const open = opened.getStore();
      if (open) return part(facts, open);
      return own ? begin(facts, {}) : null;
    },
    isRecording: () => opened.getStore()?.root != null,
    outgoing(): Readonly<Record<string, string>> {
      const context = opened.getStore()?.recorded?.spanContext();
      return context ? { traceparent: `00-${context.traceId}-${context.spanId}-01` } : {};
    },
  };
}

const requestLabels = ['http.request.method', 'http.route', 'http.response.status_code'];
const workLabels = ['error.type'];
const pick = (from: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]])));

/** Random bytes for ids: asking the system for each id took half of the time that a span takes. */
const random = { bytes: Buffer.alloc(0), used: 0 };

function newId(bytes: number): string {
  if (random.used + bytes > random.bytes.length) Object.assign(random, { bytes: randomBytes(RANDOM_BYTES), used: 0 });
  random.used += bytes;
  return random.bytes.toString('hex', random.used - bytes, random.used);
}

/** @param before called once, before it ends, with what was set on it */
function spanOf(
  recorded: Recorded | null,
  opened: AsyncLocalStorage<Open>,
  open: Open,
  before: (told: Attributes) => void = () => {},
): Span {
  let told: Attributes = {};
  let isOver = false;
  const set = (more: Attributes): void => {
    told = { ...told, ...more };
    recorded?.setAttributes(more);
  };
  return {
    run: work => opened.run(open, work),
    set,
    end(failure) {
      if (isOver) return;
      isOver = true;
      if (failure !== undefined) {
        set({ 'error.type': kindOf(failure) });
        recorded?.setStatus({ code: SpanStatusCode.ERROR });
      }
      before(told);
      recorded?.end();
    },
  };
}

/** Returns the kind of an error: its code, or its class. Its message may name people and values, and isn't told. */
function kindOf(failure: unknown): string {
  if (typeof failure === 'string') return failure;
  const { code, name } = (failure ?? {}) as { code?: unknown; name?: unknown };
  const isWord = (word: unknown): word is string => typeof word === 'string' && /^\w{1,60}$/.test(word);
  return isWord(code) ? code : isWord(name) ? name : 'Error';
}

const scope = { name: 'myregistry' };

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / SECOND_MS);
  return [seconds, Math.round((milliseconds - seconds * SECOND_MS) * 1_000_000)];
}

/** Returns the metrics of `/metrics` as they are sent; none while they can't be read. */
async function metricsOf(
  metricLines: TelemetryOptions['metricLines'],
  processStart: HrTime,
  clock: () => Date,
): Promise<{ scope: typeof scope; metrics: MetricData[] }[]> {
  const lines = await metricLines().catch(() => []);
  const now = hrTime(clock().getTime());
  const metrics = readMetricLines(lines).map(({ name, kind, samples }): MetricData => {
    const descriptor = { name, description: '', unit: '', valueType: ValueType.DOUBLE };
    const dataPoints = samples.map(({ labels, value }) => ({ startTime: processStart, endTime: now, attributes: labels, value }));
    const aggregationTemporality = AggregationTemporality.CUMULATIVE;
    return kind === 'counter'
      ? { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints };
  });
  return [{ scope, metrics }];
}

/** Passes on what the libraries complain about, once a minute: a collector that is away would be a line for each batch. */
function warnThrough(log: Log): void {
  let warnedAt = -Infinity;
  const warn = (detail: string): void => {
    const now = performance.now();
    if (now - warnedAt < MINUTE_MS) return;
    warnedAt = now;
    log.warn('traces or metrics were not sent', { detail: detail.slice(0, 300) });
  };
  const nothing = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
