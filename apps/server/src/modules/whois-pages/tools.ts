import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForms } from '../../platform/http/forms.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PublicTurn } from '../../platform/http/public-turns.ts';
import { abuseCsv, findAbuseRows, MAX_ADDRESSES, readAbuseList } from './abuse-list.ts';
import type { Asking } from './answers.ts';
import { lineOf, readQuery } from './query-form.ts';
import { abusePage, queryPage } from './tool-pages.ts';
import { whoisText } from './whois-text.ts';

/** Bytes of a list: a thousand log lines. */
const MAX_LIST_BYTES = 512 * 1024;

export type Tools = {
  asking: (request: FastifyRequest) => Asking;
  inTurn: PublicTurn;
  send: (reply: FastifyReply, page: { status: number; title: string; main: Content; listed?: boolean }) => FastifyReply;
};

/** `/whois/query`: whois with flags; as text it is port 43 over HTTPS. */
export function queryTool(app: FastifyInstance, { asking, inTurn, send }: Tools): void {
  app.get('/whois/query', async (request, reply) => {
    const fields = request.query as Record<string, unknown>;
    const { context, place, limit, caller } = asking(request);
    const { config, profile } = context;
    const sources = [place.source, ...(place.foreign ?? []).map(({ name }) => name)];
    const asked = readQuery(fields, sources);
    const isText = fields['as'] === 'text';
    const wrong = asked && 'wrong' in asked ? asked.wrong : null;
    const query = asked && 'key' in asked ? asked : null;
    if (isText)
      void reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-robots-tag', 'noindex, nofollow');
    const form = isText ? 'text' : 'page';
    const text = query && (await inTurn(caller, () => whoisText(place, query.key, { limit, caller, flags: query.flags, form })));
    const status = wrong ? 400 : text?.problem ? (text.overLimit?.forGood ? 403 : text.overLimit ? 429 : 404) : 200;
    if (isText) {
      const lines = wrong
        ? [`% ${wrong.why}\n% ${wrong.right}\n`]
        : [...(text?.remarks ?? []), ...(text?.problem?.sentences ?? [])].map(remark => `% ${remark.replaceAll('\n', '\n% ')}\n`);
      return reply
        .code(status)
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send([...lines, ...(text?.objects ?? []), ...(text?.more ? ['% Cut here: port 43 has all of it.\n'] : [])].join('\n'));
    }
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
    const main = queryPage({
      query,
      sources,
      text,
      problem: wrong,
      host: profile.whoisHost,
      address: `${config.appUrl}/whois/query${search}&as=text`,
    });
    return send(reply, {
      status,
      title: query ? `Query: ${lineOf(query)}` : 'Build a query',
      main,
      listed: query === null && wrong === null,
    });
  });
}

/** `/whois/abuse`: contacts for abuse reports of a list, as a page and as CSV. */
export function abuseTool(app: FastifyInstance, { asking, inTurn, send }: Tools): void {
  app.get('/whois/abuse', (request, reply) =>
    send(reply, {
      status: 200,
      title: 'Find abuse contacts',
      main: abusePage({ list: '', found: null, problem: null, appUrl: asking(request).context.config.appUrl }),
      listed: true,
    }),
  );
  void app.register(async scope => {
    readForms(scope, MAX_LIST_BYTES);
    scope.addContentTypeParser(['text/plain', 'text/csv'], { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, { list: body, as: 'csv' }),
    );
    scope.post('/whois/abuse', async (request, reply) => {
      const { list, as: form } = (request.body ?? {}) as { list?: unknown; as?: unknown };
      const { context, place, caller } = asking(request);
      const text = typeof list === 'string' ? list : '';
      const { problem, rows, lines, without, unread } = await inTurn(caller, async () => {
        const { addresses, ...read } = await readAbuseList(text);
        const problem =
          addresses.length === 0
            ? { why: 'No line has an address.', right: 'Write addresses such as 198.51.100.7 or 2001:db8::5, one a line.' }
            : addresses.length > MAX_ADDRESSES
              ? { why: `The list has more than ${MAX_ADDRESSES} different addresses.`, right: `Send at most ${MAX_ADDRESSES} at a time.` }
              : null;
        return { ...read, problem, rows: problem ? [] : await findAbuseRows(place, addresses) };
      });
      if (form === 'csv') {
        if (problem) return reply.code(400).type('text/plain; charset=utf-8').send(`${problem.why} ${problem.right}\n`);
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('cache-control', 'no-store')
          .header('content-disposition', 'attachment; filename="abuse-contacts.csv"')
          .send(abuseCsv(rows, { unread, without }));
      }
      const found = problem ? null : { rows, lines, without, unread };
      return send(reply, {
        status: problem ? 400 : 200,
        title: 'Find abuse contacts',
        main: abusePage({ list: text, found, problem, appUrl: context.config.appUrl }),
      });
    });
  });
}
