import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A value of OTLP in JSON: a text, a number, a whole number as text, a truth. */
type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  status?: { code?: number; message?: string };
};
type Point = { attributes?: Attribute[]; asInt?: number | string; asDouble?: number; count?: number | string; sum?: number };
type OtlpMetric = {
  name: string;
  sum?: { dataPoints: Point[]; isMonotonic: boolean };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
};
type Traces = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[] };
type Metrics = { resourceMetrics: { scopeMetrics: { metrics: OtlpMetric[] }[] }[] };

export type CollectedSpan = {
  traceId: string;
  spanId: string;
  /** null for the first of its trace. */
  parentSpanId: string | null;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'unknown';
  isError: boolean;
  attributes: Record<string, string | number | boolean>;
  resource: Record<string, string | number | boolean>;
};
export type CollectedMetric = {
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  points: { attributes: Record<string, string | number | boolean>; value: number }[];
};

const kinds = ['unknown', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const valueOf = ({ stringValue, intValue, doubleValue, boolValue }: Value): string | number | boolean => {
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  return Number(intValue ?? doubleValue);
};
const attributesOf = (given: readonly Attribute[] = []): Record<string, string | number | boolean> =>
  Object.fromEntries(given.map(({ key, value }) => [key, valueOf(value)]));

/**
 * A collector of OpenTelemetry as far as the program meets it: takes OTLP over HTTP in JSON (`/v1/traces`, `/v1/metrics`), decodes it, and keeps it. `answer` says how it behaves; `hang` takes
 * requests and never answers.
 */
export async function collectorStandIn({ port = 0, answer = 200 }: { port?: number; answer?: number | 'hang' } = {}) {
  const [spans, metrics, bodies, headers]: [CollectedSpan[], CollectedMetric[], string[], http.IncomingHttpHeaders[]] = [[], [], [], []];
  let behaviour = answer;
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (behaviour === 'hang') return;
      const body = Buffer.concat(parts).toString();
      const isKnown = request.method === 'POST' && (request.url === '/v1/traces' || request.url === '/v1/metrics');
      if (!isKnown || request.headers['content-type'] !== 'application/json') return void response.writeHead(isKnown ? 415 : 404).end();
      if (behaviour === 200) {
        bodies.push(body);
        headers.push(request.headers);
        if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body) as Traces));
        else metrics.push(...metricsOf(JSON.parse(body) as Metrics));
      }
      response.writeHead(behaviour, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Decoded, in the order of arrival. */
    spans,
    metrics,
    /** Bodies, as they came. */
    bodies,
    headers,
    behave(next: number | 'hang') {
      behaviour = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const spansOf = ({ resourceSpans }: Traces): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes, status }) => ({
        traceId,
        spanId,
        parentSpanId: parentSpanId || null,
        name,
        kind: kinds[kind] ?? 'unknown',
        isError: status?.code === 2,
        attributes: attributesOf(attributes),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );

const metricsOf = ({ resourceMetrics }: Metrics): CollectedMetric[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map(({ name, sum, gauge, histogram }) => ({
        name,
        kind: histogram ? ('histogram' as const) : sum?.isMonotonic ? ('counter' as const) : ('gauge' as const),
        points: (histogram ?? sum ?? gauge)!.dataPoints.map(({ attributes, asInt, asDouble, count }) => ({
          attributes: attributesOf(attributes),
          value: Number(count ?? asInt ?? asDouble),
        })),
      })),
    ),
  );
