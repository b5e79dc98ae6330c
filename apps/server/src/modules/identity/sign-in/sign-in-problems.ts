import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { Failure } from '../../../platform/failure.ts';
import { unavailability } from '../../../platform/unavailability.ts';
import type { SignInTools } from './sign-in-tools.ts';

/** A page for every way a sign-in can fail: what happened, what to do, and a link that doesn't lead back here. */
export function answerProblems(app: FastifyInstance, { forms, pages, interactions, log }: SignInTools): void {
  /** The sign-in is no longer running: it succeeded, the browser keeps no cookies, or it took too long. */
  const answerEnded = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = forms.context(request);
    if (await interactions.hasSession(request, reply).catch(() => false))
      return forms.answer(reply, request.method === 'GET' ? 200 : 409, pages.signedInAlready(context));
    return forms.answer(reply, 400, request.headers.cookie ? pages.expired(context) : pages.noCookies(context));
  };

  app.setErrorHandler<Error & { code?: string; statusCode?: number }>((error, request, reply) => {
    if (error instanceof errors.SessionNotFound) return answerEnded(request, reply);
    const context = forms.context(request);
    const unavailable = unavailability(error);
    if (unavailable) {
      log.warn('sign-in was not available', { traceId: request.traceId, path: pathOf(request), error });
      void reply.header('retry-after', String(unavailable.retrySeconds));
      const { uid } = request.params as { uid?: string };
      const again = uid !== undefined ? `/sign-in/${uid}` : request.method === 'GET' ? request.url : null;
      return forms.answer(reply, 503, pages.unavailable(context, { paused: unavailable.paused, again }));
    }
    const status = error instanceof Failure ? error.status : (error.statusCode ?? 500);
    if (status < 500) return forms.answer(reply, status, pages.notUnderstood(context, error instanceof Failure ? error.message : null));
    log.error('sign-in failed', { traceId: request.traceId, path: pathOf(request), error });
    return forms.answer(reply, 500, pages.defect(context));
  });
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;
