import type { ClassName } from '@portal/rpsl';
import type { FastifyInstance } from 'fastify';
import { searchNames } from '../whois/index.ts';
import { meets, readNameQuery } from './name-query.ts';
import { searchPage } from './search-page.ts';
import type { Tools } from './tools.ts';

/** `/whois/search`: objects whose names begin with a text, by type, economy and status. People aren't among them: nothing counts against a limit. */
export function searchTool(app: FastifyInstance, { asking, inTurn, send }: Tools): void {
  app.get('/whois/search', async (request, reply) => {
    const fields = request.query as Record<string, unknown>;
    const query = readNameQuery(fields);
    const { place, caller } = asking(request);
    const found =
      query && 'chosen' in query
        ? await inTurn(caller, () =>
            searchNames(
              place.db.read,
              query.text.toLowerCase(),
              query.chosen.type === undefined ? undefined : [query.chosen.type as ClassName],
            ),
          )
        : null;
    const status = query && 'wrong' in query ? 400 : 200;
    if (fields['as'] === 'json') {
      void reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-robots-tag', 'noindex, nofollow')
        .header('cache-control', 'no-store')
        .code(status);
      if (query && 'wrong' in query) return reply.send({ error: `${query.wrong.why} ${query.wrong.right}` });
      const hits = query && found ? found.hits.filter(hit => meets(hit, query.chosen)) : [];
      return reply.send({ hits: hits.map(({ class: type, ...hit }) => ({ type, ...hit })), isCut: found?.isCut ?? false });
    }
    return send(reply, {
      status,
      title: query ? `Names that begin with ${query.text}` : 'Search names',
      main: searchPage(query, found),
      listed: query === null,
    });
  });
}
