import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCatalogue, smallBody } from '@portal/contract';
import { fileSize } from '@portal/contract/file-kinds';
import type { LongField } from '@portal/contract/long-text';
import { releaseHeader } from '@portal/contract/shell/release-header';
import { newTraceId, traceIdOf } from '@portal/contract/trace';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Failure, refuse, refuseFields, refuseWith } from '../failure.ts';
import { HeldBody } from '../held-body.ts';
import type { Log } from '../log.ts';
import type { MemoryBound } from '../memory-bound.ts';
import { beginTrace, type Span, spanIdOf } from '../telemetry/spans.ts';
import { unavailability } from '../unavailability.ts';
import { failingAlone } from '../work-units.ts';
import { LONG_BODY } from './body-limit.ts';
import { type CallerAddress, notePeer } from './caller-address.ts';
import { compressAnswers } from './compression.ts';
import { readJson } from './json-body.ts';
import { watchRefusedBearers } from './refused-bearers.ts';
import type { RequestCounts } from './request-counts.ts';
import { type HeaderPolicy, type PageKind, securityHeaders } from './security-headers.ts';
import { unkeptTextIn } from './unkept-text.ts';

export type HttpOptions = {
  /** Hosts (with port) this server answers to; others get 421, so that no link is ever built from a forged Host header (S36). */
  hosts: readonly string[];
  /** Hosts that redirect a browser to appUrl: 127.0.0.1 during development. */
  redirectHosts: readonly string[];
  appUrl: string;
  /** Returns the sender of a request behind the trusted proxies. */
  addressOf: CallerAddress;
  headers: HeaderPolicy;
  kindOf: (path: string, request: IncomingMessage) => PageKind;
  /** Raw handler of a path prefix that writes its own responses (the OpenID provider). */
  raw?: { prefix: string; handle: (request: IncomingMessage, response: ServerResponse) => void };
  /** Errors at addresses with an error format of their own; null where the common one applies. */
  errorsOf?: (
    url: string,
    status: number,
    message: string,
    about: { request: FastifyRequest; failure: Failure },
  ) => { type: string; headers: Readonly<Record<string, string>>; body: Buffer } | null;
  counts?: RequestCounts;
  /** Named in every answer to a call of the portal, so that open tabs notice a newer one. */
  release?: string;
  /** How long, in ms, running calls may take to finish when the server closes. */
  closesWithinMs: number;
  /** Connections at a time; more are closed. Null: any number. */
  mostConnections?: number | null;
  /** Refuses requests for which this process has no memory. */
  memory?: Pick<MemoryBound, 'announce' | 'isFull' | 'refusalOf'>;
  log: Log;
};

/** Maximum length of a path parameter, in characters. */
const longestParameter = 300;

/** Asked by load balancers under whatever name they know the machine. */
const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** How long, in ms, a request may take to arrive. A file of 10 MB over a slow line takes longer than anything else. */
const ARRIVAL_MS = 30_000;
const UPLOAD_MS = 300_000;

/** Maximum size of the request line and headers together, in bytes. */
const headerLimit = 16_384;
/** Interval, in ms, at which the ending server closes connections that have had their last answer. */
const IDLE_LOOK_MS = 50;

/** How long, in ms, a peer may take to read why its request was malformed. */
const CLOSE_TIMEOUT_MS = 1000;

/** The server as its parts see it. */
type Serving = {
  options: HttpOptions;
  headers: ReturnType<typeof headersByKind>;
  /** In lower case. */
  hosts: ReadonlySet<string>;
  isClosing: boolean;
};

/** A Fastify app with what every answer shares: host check, trace id, security headers, the error shape of the specification, section 8. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const headers = headersByKind(options.headers);
  const serving: Serving = { options, headers, hosts: new Set(options.hosts.map(host => host.toLowerCase())), isClosing: false };
  const app = Fastify({
    logger: false,
    serverFactory: (handle, { http: settings, keepAliveTimeout, requestTimeout }) => {
      const server = createServer(settings!, (request, response) => {
        if (!handOver(serving, request, response)) handle(request, response);
      });
      return Object.assign(server, { keepAliveTimeout, requestTimeout });
    },
    bodyLimit: smallBody,
    // Running calls are finished.
    forceCloseConnections: 'idle',
    // A slow or silent client must not hold a connection for ever.
    requestTimeout: UPLOAD_MS,
    // Node's own error responses would lack our headers, so this and the next option let such requests through to us.
    http: { requireHostHeader: false, maxHeaderSize: headerLimit, headersTimeout: ARRIVAL_MS },
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: longestParameter },
    frameworkErrors: (error, request, reply) => {
      request.traceId = traceOf(request as FastifyRequest);
      request.address = options.addressOf(request.raw);
      headers.set(reply.raw, 'data');
      void answerError(error, request as FastifyRequest, reply as FastifyReply, options);
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket as Socket, headers.of('data')),
  });
  // Without a limit idle connections could take every file descriptor there is, those of files and of the database too.
  if (options.mostConnections) app.server.maxConnections = options.mostConnections;
  closeInTime(app, serving);
  compressAnswers(app);
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (serving.isClosing) void reply.header('connection', 'close');
    next();
  });
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    headers.set(response, 'data');
    const { status, body } = errorAnswer(refuse('EXPECTATION_FAILED'), newTraceId());
    response.writeHead(status, { 'content-type': jsonType, connection: 'close' }).end(body);
  });
  // Read the address now, while the system knows it: a refused client may be gone a moment later.
  app.server.on('connection', notePeer);
  app.decorateRequest('traceId', '');
  app.decorateRequest('address', '');

  // An exception that nothing awaits fails the request that it comes from.
  app.addHook('onRequest', (request, reply, done) =>
    failingAlone(error => {
      if (reply.raw.headersSent) reply.raw.destroy();
      else if (!reply.sent) void answerError(error as FastifyError, request, reply, options);
    }, done),
  );
  checkHost(app, serving);
  traceRequests(app);
  const { counts } = options;
  if (counts)
    app.addHook('onResponse', (request, reply, done) => {
      const { url: route = 'other' } = request.routeOptions;
      counts.note({ method: request.method, route, status: reply.statusCode, milliseconds: reply.elapsedTime });
      done();
    });
  readBodies(app);

  const bearerRefused = watchRefusedBearers(options.log);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { authorization } = request.headers;
    if (authorization !== undefined && error instanceof Failure && (error.code === 'NOT_SIGNED_IN' || error.code === 'API_KEY_REFUSED'))
      bearerRefused(request.address, request.traceId);
    return answerError(error, request, reply, options);
  });
  return app;
}

/** The security headers of each kind of page. They don't depend on the request, so they are built once for each style of the brand. */
function headersByKind(policy: HeaderPolicy) {
  const built = new Map<PageKind, Map<string, string>>();
  let brand = policy.brandSource?.();
  const of = (kind: PageKind): ReadonlyMap<string, string> => {
    const brandNow = policy.brandSource?.();
    if (brand !== brandNow) {
      built.clear();
      brand = brandNow;
    }
    const known = built.get(kind) ?? new Map(Object.entries(securityHeaders(kind, policy)));
    built.set(kind, known);
    return known;
  };
  return {
    of,
    set(response: ServerResponse, kind: PageKind): void {
      for (const [name, value] of of(kind)) response.setHeader(name, value);
    },
  };
}

/** Passes a request below the raw prefix on directly: Fastify's way costs a third of the OpenID provider's time for a token. Returns whether it did. */
function handOver({ options, headers, hosts, isClosing }: Serving, request: IncomingMessage, response: ServerResponse): boolean {
  const { raw, counts } = options;
  const path = pathOf(request.url!);
  const isRaw = raw !== undefined && (path === raw.prefix || path.startsWith(`${raw.prefix}/`));
  // A request that will be refused takes the normal path.
  if (
    !isRaw ||
    isClosing ||
    options.memory?.isFull ||
    !hosts.has((request.headers.host ?? '').toLowerCase()) ||
    hasEscapedNul(request.url!)
  )
    return false;
  const started = performance.now();
  headers.set(response, options.kindOf(path, request));
  if (bringsBody(request)) hurry(request, response, () => answerTooSlow(request.socket, headers.of('data')));
  if (counts)
    response.once('finish', () =>
      counts.note({
        method: request.method!,
        route: raw.prefix,
        status: response.statusCode,
        milliseconds: performance.now() - started,
      }),
    );
  const { traceparent } = request.headers as { traceparent?: string };
  const span = beginTrace(
    () => requestFacts(request.method!, raw.prefix),
    () => ({ traceId: traceIdOf(traceparent), spanId: spanIdOf(traceparent) }),
  );
  if (span) {
    endWith(response, span);
    span.run(() => raw.handle(request, response));
  } else raw.handle(request, response);
  return true;
}

const requestFacts = (method: string, route: string) => ({
  name: `${method} ${route}`,
  kind: 'server' as const,
  attributes: { 'http.request.method': method, 'http.route': route },
});

/** Ends the span of a request with its answer, or when the caller is gone. */
function endWith(response: ServerResponse, span: Span): void {
  response.once('close', () => {
    const { statusCode, writableFinished } = response;
    span.set({ 'http.response.status_code': statusCode });
    span.end(!writableFinished ? 'caller_gone' : statusCode >= 500 ? String(statusCode) : undefined);
  });
}

/** Once the app closes: notes it, ends idle connections, and cuts off calls that run longer than `closesWithinMs`. */
function closeInTime(app: FastifyInstance, serving: Serving): void {
  const { log, closesWithinMs } = serving.options;
  app.addHook('preClose', done => {
    serving.isClosing = true;
    // A server that never listened has no connections and doesn't emit close: its timers would keep the process alive.
    if (!app.server.listening) return done();
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
    const late = setTimeout(() => {
      app.server.getConnections((_error, connections) => {
        if (connections > 0) log.error('requests were cut off: they did not end within SHUTDOWN_SECONDS', { connections });
        app.server.closeAllConnections();
      });
    }, closesWithinMs);
    app.server.once('close', () => {
      clearInterval(idle);
      clearTimeout(late);
    });
    done();
  });
}

/** Refuses requests for other hosts, and those that arrive while the server closes; gives all others trace id, address and headers. */
function checkHost(app: FastifyInstance, serving: Serving): void {
  const { options, headers, hosts } = serving;
  const redirectHosts = new Set(options.redirectHosts);
  app.addHook('onRequest', (request, reply, done) => {
    request.traceId = traceOf(request);
    request.address = options.addressOf(request.raw);
    const path = pathOf(request.url);
    headers.set(reply.raw, options.kindOf(path, request.raw));
    if (options.release && path.startsWith('/api/')) reply.raw.setHeader(releaseHeader, options.release);
    if (bringsBody(request.raw) && !request.routeOptions.config?.upload)
      hurry(request.raw, reply.raw, () => answerTooSlow(request.raw.socket, headers.of('data')));
    if (serving.isClosing) return done(refuseWith({ connection: 'close' }, 'UNAVAILABLE'));
    const refusal = healthPaths.has(path) ? null : options.memory?.refusalOf(bringsMuch(request.raw));
    if (refusal) return done(refusal);
    if (options.memory && bringsMuch(request.raw))
      reply.raw.once('close', options.memory.announce(lengthOf(request.raw) ?? request.routeOptions.bodyLimit ?? smallBody));
    const host = (request.headers.host ?? '').toLowerCase();
    if (host === '' && !healthPaths.has(path)) return done(refuse('INVALID_REQUEST', { detail: 'the header Host is missing' }));
    if (!hosts.has(host) && !healthPaths.has(path)) {
      if (!redirectHosts.has(host) || request.method !== 'GET' || /^\/(api|registry-api)\//.test(path)) return done(refuse('MISDIRECTED'));
      void reply.redirect(options.appUrl + request.url, 307);
      return;
    }
    done();
  });
}

/** Reads JSON and files, and refuses bodies of other kinds and texts that no database can store. */
function readBodies(app: FastifyInstance): void {
  // Every call has the JSON content type, even with an empty body (specification, section 7).
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bodyLimit: largest, config } = request.routeOptions;
    const read = await readJson(payload, {
      largest,
      announced: lengthOf(payload),
      longField: config?.longField ?? null,
      takesHeld: config?.takesHeld ?? false,
    }).catch(brokenOff);
    if (read instanceof HeldBody) return read;
    const { text, held } = read;
    if (text === '') return undefined;
    const body = await new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, value: unknown) => (error ? reject(error) : resolve(value)));
    });
    if (held) (body as Record<string, unknown>)[held.name] = held.text;
    return body;
  });

  // A file is streamed; only endpoints that accept one get here.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));

  // Only JSON reaches the API: a form post from a foreign page cannot be taken for a call.
  app.addHook('preValidation', (request, _reply, done) => {
    const isApi = /^\/(api|registry-api)\//.test(request.url);
    const hasBody = request.body !== undefined && request.body !== null;
    if (request.routeOptions.config.upload) return done();
    if (isApi && hasBody && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return done(refuse('UNSUPPORTED_MEDIA_TYPE'));
    done();
  });
  // Text that no database can store is refused here, for calls and pages alike, so that later code needn't check.
  app.addHook('preHandler', (request, _reply, done) => {
    const { params, query, body } = request;
    const unkept = unkeptTextIn(params, 'path') ?? unkeptTextIn(query, 'query') ?? unkeptTextIn(body, 'body');
    if (unkept) done(refuseFields([unkept]));
    else done();
  });
  // Validation is the contract's; Fastify's own is left out.
  app.setValidatorCompiler(() => () => true);
}

/** Begins the span of each request, but of those that ask again and again how the process is. */
function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const span = healthPaths.has(pathOf(request.url))
      ? null
      : beginTrace(
          () => requestFacts(request.method, request.routeOptions.url ?? 'other'),
          () => ({ traceId: request.traceId, spanId: spanIdOf(request.headers.traceparent as string | undefined) }),
        );
    if (!span) return done();
    endWith(reply.raw, span);
    span.run(done);
  });
}

const hasEscapedNul = (url: string): boolean => url.includes('%00');

export const pathOf = (url: string): string => url.split('?', 1)[0]!;

/** The trace id of a request: the caller's, or a new one. */
const traceOf = (request: FastifyRequest): string => traceIdOf(request.headers.traceparent as string | undefined) ?? newTraceId();

const jsonType = 'application/json; charset=utf-8';
const errorAnswer = ({ status, code, problems, current }: Failure, traceId: string): { status: number; body: string } => ({
  status,
  body: JSON.stringify({ errors: problems.map(({ message, field }) => ({ code, message, traceId, field })), current }),
});

/** Answers a malformed or too slow request on the raw socket, then closes it. */
function answerParserError(error: Error & { code?: string }, socket: Socket, headers: ReadonlyMap<string, string>): void {
  // Node keeps the response in progress there; nothing can be written into the middle of it.
  const underWay = (Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined)?.headersSent;
  if (!socket.writable || underWay) {
    socket.destroy();
    return;
  }
  const { status, body } = errorAnswer(parserFailure(error), newTraceId());
  const head = {
    ...Object.fromEntries(headers),
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
}

/** A body that breaks off is no failure of the server. */
const brokenOff = (error: unknown): never => {
  throw error instanceof Failure ? error : Object.assign(error as Error, { statusCode: 400 });
};

/** The length that a request announces, or null. */
const lengthOf = ({ headers }: IncomingMessage): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const bringsMuch = (request: IncomingMessage): boolean => bringsBody(request) && (lengthOf(request) ?? Infinity) >= LONG_BODY;

/** Limits how long a request may take to arrive, unless it was answered early. */
function hurry(request: IncomingMessage, response: ServerResponse, tooLate: () => void): void {
  const timer = setTimeout(() => {
    if (!request.complete && !response.writableFinished) tooLate();
  }, ARRIVAL_MS);
  timer.unref();
  for (const over of ['end', 'close']) request.once(over, () => clearTimeout(timer));
}

const answerTooSlow = (socket: Socket, headers: ReadonlyMap<string, string>): void =>
  answerParserError(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, headers);

function parserFailure({ code }: { code?: string }): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('HEADERS_TOO_LARGE', { limit: `${headerLimit / 1024} KB` });
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return refuse('PAYLOAD_TOO_LARGE', { limit: `${headerLimit / 1024} KB of chunk extensions` });
  return refuse('INVALID_REQUEST', { detail: 'it is not HTTP/1.1 (RFC 9112)' });
}

/** Answers `{ errors: [{ code, message, traceId, field? }] }`. A defect is logged with its stack and answered with the specified text. */
function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, errorsOf }: Pick<HttpOptions, 'log' | 'errorsOf'>,
): FastifyReply {
  const failure = error instanceof Failure ? error : translated(error, request.routeOptions.bodyLimit);
  // Shortness of memory is said once (memory-bound.ts), and not for each of many refusals.
  if (failure.status >= 500 && failure.code !== 'MEMORY_SHORT')
    log.error('request failed', { traceId: request.traceId, method: request.method, path: pathOf(request.url), error });
  const own = errorsOf?.(request.url, failure.status, failure.message, { request, failure });
  const unavailable = unavailability(failure);
  const again = unavailable ? { 'retry-after': String(unavailable.retrySeconds) } : {};
  void reply.code(failure.status).headers({ ...again, ...failure.headers });
  if (own) return reply.headers(own.headers).type(own.type).send(own.body);
  return reply.type(jsonType).send(errorAnswer(failure, request.traceId).body);
}

/** Translates errors of the framework and the database into our own. @param largest body of the route, in bytes */
function translated(error: Error & { code?: string; statusCode?: number }, largest = smallBody): Failure {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('PAYLOAD_TOO_LARGE', { limit: fileSize(largest) });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return refuse('ADDRESS_TOO_LONG', { limit: String(longestParameter) });
    case 'FST_ERR_BAD_URL':
      return refuse('NOT_FOUND', { what: 'This address' });
  }
  // An outage, not a mistake: the caller may retry.
  const unavailable = unavailability(error);
  if (unavailable) return refuse(unavailable.paused ? 'CHANGES_PAUSED' : 'UNAVAILABLE');
  // Files that are not there, or outside the folder that is served.
  if (error.statusCode === 403 || error.statusCode === 404) return refuse('NOT_FOUND', { what: 'This address' });
  if (error.statusCode === 416) return refuse('RANGE_OUTSIDE');
  if (error instanceof SyntaxError && error.statusCode === 400) return refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
  // Other errors that the framework blames on the caller are not our defects.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return refuse('INVALID_REQUEST', { detail: STATUS_CODES[error.statusCode] ?? 'it cannot be answered' });
  return new Failure('UNEXPECTED_ERROR', errorCatalogue.UNEXPECTED_ERROR.message);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The long text of its body, which only a thread reads. */
    longField?: LongField | null;
    /** A body of many values reaches its handler as bytes. */
    takesHeld?: boolean;
  }
  interface FastifyRequest {
    /** Used in logs, activity lines, error answers and reports. */
    traceId: string;
  }
}
