import { traceIdOf } from '@portal/contract/trace';

/** Values that name our own things or count: never what a person wrote, nor who they are. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work of which a collector of traces hears. */
export type SpanFacts = { name: string; kind: 'server' | 'client' | 'consumer' | 'internal'; attributes?: Attributes };

/** Where a trace comes from: the id that people see, and the span of the caller, where there is one (W3C Trace Context). */
export type Origin = { traceId?: string | undefined; spanId?: string | undefined };

export type Span = {
  /** Runs what belongs to it. */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** @param failure what the work ended with; of an error only its kind is told */
  end(failure?: unknown): void;
};

/** Records spans: `open-telemetry.ts`, where an address to send them to is set. */
export type Spans = {
  /** Begins the work of a request or a task, in the trace that is open if it has the same id. */
  begin(facts: SpanFacts, origin: Origin): Span;
  /** Begins a part of the work that is open; null where it isn't recorded. Where nothing is open: null, or a trace of its own. */
  child(facts: SpanFacts, own?: 'own trace'): Span | null;
  /** Whether `child` would return a span. */
  isRecording(): boolean;
  /** The header that names the open span to a system outside; empty without one. */
  outgoing(): Readonly<Record<string, string>>;
};

let spans: Spans | null = null;

/** Says what records spans in this process; null: nothing does. */
export function recordSpans(recorder: Spans | null): void {
  spans = recorder;
}

/** Begins the work of a request; null where nothing is recorded. */
export const beginTrace = (facts: () => SpanFacts, origin: () => Origin): Span | null => spans && spans.begin(facts(), origin());

/** Returns the span of a caller in a trace-parent header; undefined when the header is not one. */
export const spanIdOf = (traceparent: string | undefined): string | undefined =>
  traceIdOf(traceparent) === undefined ? undefined : traceparent!.split('-')[2];

/** Runs a task or the like as a trace, or as a part of the one with this id. */
export const inTrace = <T>(facts: () => SpanFacts, origin: () => Origin, work: () => Promise<T>): Promise<T> =>
  spans ? within(spans.begin(facts(), origin()), work) : work();

/** Runs a part of the work that is open, such as a statement. Work that isn't part of anything isn't recorded. */
export const inSpan = <T>(facts: () => SpanFacts, work: () => Promise<T>): Promise<T> => {
  const span = spans?.isRecording() ? spans.child(facts()) : null;
  return span ? within(span, work) : work();
};

/** Header of a request to a system that the operator has chosen: it may tell its own spans by ours. Members' receivers of webhooks don't get it. */
export const outgoingTrace = (): Readonly<Record<string, string>> => spans?.outgoing() ?? {};

function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
  return span.run(async () => {
    try {
      const answer = await work();
      span.end();
      return answer;
    } catch (error) {
      span.end(error);
      throw error;
    }
  });
}

/**
 * Returns a port whose calls are spans, named by the system and the method. What goes in and comes out isn't told.
 * @param system its name, such as "mail server"
 */
export function tracedPort<Port>(system: string, port: Port): Port {
  if (!spans || typeof port !== 'object' || port === null) return port;
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...given: unknown[]): unknown => {
        const span = spans?.child(
          { name: `${system}: ${name}`, kind: 'client', attributes: { 'peer.service': system, 'rpc.method': name } },
          'own trace',
        );
        if (!span) return value.apply(target, given);
        return span.run(() => {
          try {
            const answer: unknown = value.apply(target, given);
            if (!(answer instanceof Promise)) {
              span.end();
              return answer;
            }
            return answer.then(
              come => {
                span.end();
                return come as unknown;
              },
              (error: unknown) => {
                span.end(error);
                throw error;
              },
            );
          } catch (error) {
            span.end(error);
            throw error;
          }
        });
      };
    },
  });
}
