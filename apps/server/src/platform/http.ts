import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCatalogue } from '@portal/contract';
import { traceOf } from './endpoints.ts';
import { Failure, refuse } from './failure.ts';
import type { Log } from './log.ts';
import { type HeaderPolicy, type PageKind, setSecurityHeaders } from './security-headers.ts';

export type HttpOptions = {
  /** Hosts (with port) this server answers to; others get 421, so that no address is ever built from a foreign Host header (S36). */
  hosts: readonly string[];
  /** Hosts that lead a browser to appUrl instead: 127.0.0.1 on one's own machine. */
  redirectHosts: readonly string[];
  appUrl: string;
  behindProxy: boolean;
  headers: HeaderPolicy;
  kindOf: (path: string) => PageKind;
  /** Raw handler of a path prefix that does its own answering (the OpenID provider). */
  raw?: { prefix: string; handle: (request: IncomingMessage, response: ServerResponse) => void };
  log: Log;
};

/** JSON bodies are small; files will have their own limits. */
const bodyLimit = 1_048_576;

/** Asked by load balancers under whatever name they know the machine. */
const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** A Fastify app with what every answer shares: host check, trace id, security headers, the error shape of spec section 8. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit,
    trustProxy: options.behindProxy,
    forceCloseConnections: true,
    // A slow or silent client may not hold a connection for ever.
    requestTimeout: 30_000,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => {
      request.traceId = traceOf(request as FastifyRequest);
      setSecurityHeaders(reply.raw, 'data', options.headers);
      void answerError(error, request as FastifyRequest, reply as FastifyReply, options.log);
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable)
        socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n');
    },
  });
  app.decorateRequest('traceId', '');

  const hosts = new Set(options.hosts.map(host => host.toLowerCase()));
  const redirectHosts = new Set(options.redirectHosts);
  app.addHook('onRequest', (request, reply, done) => {
    request.traceId = traceOf(request);
    const path = pathOf(request.url);
    setSecurityHeaders(reply.raw, options.kindOf(path), options.headers);
    const host = (request.headers.host ?? '').toLowerCase();
    if (!hosts.has(host) && !healthPaths.has(path)) {
      if (!redirectHosts.has(host) || request.method !== 'GET' || path.startsWith('/api/')) return done(refuse('MISDIRECTED'));
      void reply.redirect(options.appUrl + request.url, 307);
      return;
    }
    if (options.raw && (path === options.raw.prefix || path.startsWith(`${options.raw.prefix}/`))) {
      reply.hijack();
      options.raw.handle(request.raw, reply.raw);
      return;
    }
    done();
  });

  // Every call has the JSON content type, also one that has nothing to say (spec section 7).
  const readJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else readJson(request, body as string, done);
  });

  // Only JSON reaches the API: a form post from a foreign page cannot be taken for a call (identity.md section 8).
  app.addHook('preValidation', (request, _reply, done) => {
    const isApi = pathOf(request.url).startsWith('/api/');
    const hasBody = request.body !== undefined && request.body !== null;
    if (isApi && hasBody && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return done(refuse('UNSUPPORTED_MEDIA_TYPE'));
    done();
  });
  // Validation is the contract's; Fastify's own is left out.
  app.setValidatorCompiler(() => () => true);

  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply, options.log));
  return app;
}

export const pathOf = (url: string): string => url.split('?', 1)[0]!;

/** Answers `{ errors: [{ code, message, traceId }] }`. A defect is logged with its stack and answered with the specified text. */
function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const failure = error instanceof Failure ? error : translated(error);
  if (failure.status >= 500)
    log.error('request failed', { traceId: request.traceId, method: request.method, path: pathOf(request.url), error });
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .send({
      errors: [{ code: failure.code, message: failure.message, traceId: request.traceId }],
      ...(failure.current !== undefined && { current: failure.current }),
    });
}

/** What the framework and the database refuse, in our words. */
function translated(error: Error & { code?: string; statusCode?: number }): Failure {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('PAYLOAD_TOO_LARGE', { limit: '1 MB' });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return refuse('NOT_FOUND', { what: 'This address' });
    // Lock, statement and connection limits of the database: the caller may try again.
    case '57014':
    case '55P03':
    case '53300':
    case '57P01':
    case '57P03':
    case 'ECONNREFUSED':
      return refuse('UNAVAILABLE');
  }
  // Files that are not there, or outside the folder that is served.
  if (error.statusCode === 403 || error.statusCode === 404) return refuse('NOT_FOUND', { what: 'This address' });
  if (error instanceof SyntaxError && error.statusCode === 400) return refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
  return new Failure('UNEXPECTED_ERROR', errorCatalogue.UNEXPECTED_ERROR.message);
}
