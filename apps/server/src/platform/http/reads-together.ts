import { maxReadsTogether, readsTogetherPath, type ReadTogether } from '@portal/contract/shell/reads-together';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse, refuseField } from '../failure.ts';

/**
 * Answers several reads of the API in one request, each as if requested separately: on a slow connection, with six concurrent requests, the first
 * reads of a page would wait behind its code. Every read goes through its own endpoint, with the caller's headers: admission,
 * limits and counts are those of the endpoint. Only reads of the contract that answer JSON can be asked for.
 */
export function mountReadsTogether(app: FastifyInstance): void {
  const mark = randomUUID();
  app.addHook('onRequest', (request, _reply, done) => {
    const isPart = request.headers[markHeader] === mark;
    done(isPart && !request.routeOptions.config.isRead ? refuse('NOT_FOUND', { what: 'This address' }) : undefined);
  });

  app.get(readsTogetherPath, { exposeHeadRoute: false }, async (request: FastifyRequest<{ Querystring: { read?: string | string[] } }>) => {
    const paths = [...new Set([request.query.read ?? []].flat())];
    if (paths.length === 0 || paths.length > maxReadsTogether) throw refuseField('read', `Give 1 to ${maxReadsTogether} paths to read`);
    if (!paths.every(path => path.startsWith('/api/'))) throw refuseField('read', 'A path begins with /api/');
    const { 'accept-encoding': _coding, 'if-none-match': _known, connection: _line, ...headers } = request.headers;
    const readPath = async (path: string): Promise<ReadTogether> => {
      const { statusCode: status, body } = await app.inject({
        method: 'GET',
        url: path,
        headers: { ...headers, [markHeader]: mark },
        remoteAddress: request.raw.socket.remoteAddress ?? '0.0.0.0',
      });
      return { path, status, body };
    };
    return { answers: await Promise.all(paths.map(readPath)) };
  });
}

const markHeader = 'x-read-together';
