import type { FastifyInstance } from 'fastify';
import { refuse } from '../failure.ts';
import { limitBodies } from './body-limit.ts';

/** Fields of a form, if its page doesn't have more. */
const MAX_FIELDS = 50;

/** Reads the fields of a form. @throws Failure INVALID_REQUEST for more than `most`, before any is read: each costs more than its bytes */
export function fieldsOf(body: string, most: number): URLSearchParams {
  let fields = 1;
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1))
    if (++fields > most) throw refuse('INVALID_REQUEST', { detail: `a form here has at most ${most} fields` });
  return new URLSearchParams(body);
}

const asObject = (fields: URLSearchParams): unknown => Object.fromEntries(fields);
const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Lets the routes of a scope take forms. @param bytes of a form @param read what a route gets as its body: by default an object of the fields, in which the
 * last counts of one that is sent twice
 */
export function readForms(
  scope: FastifyInstance,
  bytes: number,
  { most = MAX_FIELDS, read = asObject }: { most?: number; read?: (fields: URLSearchParams) => unknown } = {},
): void {
  limitBodies(scope, bytes);
  // A route that reads its own shape gets that whatever was sent: of nothing, or of what isn't a form, a form without fields.
  if (read !== asObject)
    scope.addHook('preHandler', (request, _reply, done) => {
      const isRead = request.body !== undefined && isForm.test(request.headers['content-type'] ?? '');
      if (request.method === 'POST' && !isRead) request.body = read(new URLSearchParams());
      done();
    });
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, parsed) => {
    try {
      parsed(null, read(fieldsOf(body as string, most)));
    } catch (error) {
      parsed(error as Error, undefined);
    }
  });
}
