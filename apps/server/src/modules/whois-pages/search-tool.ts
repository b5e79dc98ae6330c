import type { FastifyInstance } from 'fastify';
import { meets, readNameQuery } from './name-query.ts';
import { searchPage } from './search-page.ts';
import type { Tools } from './tools.ts';
import { searchAll, sourcesOf } from './name-search.ts';

/** `/whois/search`: public objects by the beginning of their names or by words, by source, type, economy, status and maintainer. People aren't among them: nothing counts against a limit. */
export function searchTool(app: FastifyInstance, { asking, inTurn, send }: Tools): void {
  app.get('/whois/search', async (request, reply) => {
    const fields = request.query as Record<string, unknown>;
    const { place, caller } = asking(request);
    const sources = sourcesOf(place);
    const query = readNameQuery(fields, sources);
    const found = query && 'chosen' in query ? await inTurn(caller, () => searchAll(place, query.text, query.chosen)) : null;
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
      title: query ? `Objects with ${query.text}` : 'Search objects',
      main: searchPage(query, found, sources),
      listed: query === null,
    });
  });
}
