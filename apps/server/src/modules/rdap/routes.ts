import { createHash } from 'node:crypto';
import { DAY_MS } from '@portal/contract/days';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import { hadNoTurn, type PublicTurn } from '../../platform/http/public-turns.ts';
import type { Profile } from '../../profile.ts';
import { type PersonalLimit, personalLimitOf } from '../whois/index.ts';
import { type Answer, type AnswerContext, conformanceOf, type Notice, noticesOf, noPeople, type People, rdapType } from './answer.ts';
import { type Bootstrap, readBootstrap } from './bootstrap.ts';
import { type LookUp, lookUpAutnum, lookUpDomain, lookUpEntity, lookUpIp, type Outcome } from './look-ups.ts';
import { errorBody, RdapRefusal } from './refusal.ts';
import { relatedAutnums, relatedDomains, relatedNetworks, searchAutnums, searchDomains, searchEntities, searchIps } from './searches.ts';

export type RdapOptions = {
  dbForQuestion: () => Database;
  config: { appUrl: string; rdapBootstrapDir: string };
  profile: Profile;
  publicTurn: PublicTurn;
  clock: () => Date;
};

export const rdapPrefix = '/rdap';
/** Scripts of any site may read answers (RFC 7480, section 5.6). */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, location, retry-after',
};

type RdapQuery = LookUp & {
  rest: string;
  query: Readonly<Record<string, string | undefined>>;
  caller: string;
  limit: PersonalLimit;
  clock: () => Date;
};

/** Handlers below /rdap/, by the first path segment. */
const queries: Readonly<Record<string, (asked: RdapQuery) => Promise<Outcome>>> = {
  ip: asked => lookUpIp(asked, asked.rest),
  autnum: asked => lookUpAutnum(asked, asked.rest),
  domain: asked => lookUpDomain(asked, asked.rest),
  entity: asked => lookUpEntity(asked, asked.rest, () => admit(asked)),
  nameserver: noNameservers,
  nameservers: noNameservers,
  entities: asked => {
    admit(asked);
    return searchEntities(asked, asked.query);
  },
  domains: asked => related(asked, relatedDomains) ?? searchDomains(asked, asked.query),
  ips: asked => related(asked, relatedNetworks) ?? searchIps(asked, asked.query),
  autnums: asked => related(asked, async (_search, relation, key) => relatedAutnums(relation, key)) ?? searchAutnums(asked, asked.query),
};
const searches = new Set(['entities', 'domains', 'ips', 'autnums']);

async function noNameservers(): Promise<never> {
  throw new RdapRefusal(501, 'Name servers aren’t registered as objects. See the answers for reverse zones.');
}

type Relate = (search: RdapQuery, relation: string, key: string, status: string | undefined) => Promise<Answer>;
function related(asked: RdapQuery, relate: Relate): Promise<Answer> | null {
  if (asked.rest === '') return null;
  const [, relation, key] = /^rirSearch1\/([^/]+)\/(.+)$/.exec(asked.rest) ?? [];
  if (relation === undefined || key === undefined)
    throw new RdapRefusal(400, 'Ask for a relation as rirSearch1/<relation>/<key>, such as ips/rirSearch1/rdap-up/192.0.2.0/24.');
  return relate(asked, relation, key, asked.query['status']);
}

/** Refuses what shows people themselves to an address over its limit. Other answers leave them out (`nestedEntities`). */
function admit({ limit, caller, clock }: RdapQuery): void {
  const refused = limit.refuses(caller);
  if (refused?.forGood)
    throw new RdapRefusal(
      403,
      'Your address exceeded the daily limit of contact lookups on many days and is blocked. Write to us if you need access.',
    );
  if (refused)
    throw new RdapRefusal(429, 'Your address reached the daily limit of contact lookups. Networks and AS numbers aren’t limited.', {
      'retry-after': String(secondsOfDayLeft(clock())),
    });
}

const tooManyAtOnce = (): RdapRefusal =>
  new RdapRefusal(429, 'Your address asks too many questions at the same time. Wait for answers, and ask again.', { 'retry-after': '1' });

const secondsOfDayLeft = (now: Date): number => Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);

/**
 * RDAP (RFC 7480, 9082, 9083) in the NRO profile, under /rdap. Anyone may read; unknown parameters are ignored; other registries' resources are redirected.
 * @throws Error when IANA's bootstrap files cannot be read.
 */
export function rdapRoutes(app: FastifyInstance, { dbForQuestion, config, profile, clock, publicTurn }: RdapOptions): void {
  const bootstrap: Bootstrap = readBootstrap(config.rdapBootstrapDir);
  const limit = personalLimitOf(profile, clock);
  const base = config.appUrl + rdapPrefix;

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = (request.params as { '*': string })['*'];
    // A dual-stack socket writes IPv4 addresses into IPv6 ones.
    const caller = request.address;
    const people: People = { isOverLimit: limit.refuses(caller) !== null, shown: new Set() };
    const context: AnswerContext = { base, request: config.appUrl + request.url, profile, people };
    const cut = path.indexOf('/');
    const [kind, rest] = cut < 0 ? [path, ''] : [path.slice(0, cut), path.slice(cut + 1)];
    if (kind === 'help' && rest === '') return send(request, reply, helpBody(context));
    // RFC 9536: a search that isn’t offered must not be treated as another one.
    if (rest.startsWith('reverse_search/')) throw new RdapRefusal(501, 'Reverse searches (RFC 9536) aren’t offered here.');
    if (kind === 'entities' && rest !== '')
      throw new RdapRefusal(400, 'Search with entities?handle=… or entities?fn=…, without a path behind.');
    const query = queries[kind];
    if (!query || (rest === '' && !searches.has(kind) && kind !== 'nameservers'))
      throw new RdapRefusal(query ? 400 : 404, `Ask for ${examples.join(', ')}.`);
    const outcome = await query({
      db: dbForQuestion(),
      context,
      bootstrap,
      limit,
      clock,
      rest,
      query: request.query as RdapQuery['query'],
      caller,
    });
    if ('redirect' in outcome)
      return reply.code(302).header('location', outcome.redirect).type(rdapType).send(redirectBody(context, outcome.redirect));
    const sent = send(request, reply, completed(context, outcome, searches.has(kind) ? { kind, byRelation: rest !== '' } : null));
    // A caller that has the answer already is shown nothing new.
    if (sent.statusCode !== 304) limit.count(caller, people.shown.size);
    return sent;
  };

  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', (_request, reply, next) => {
      void reply.headers(openToAll);
      next();
    });
    scope.get(`${rdapPrefix}/*`, async (request, reply) => {
      try {
        return await publicTurn(request.address, () => answer(request, reply));
      } catch (given) {
        const error = hadNoTurn(given) ? tooManyAtOnce() : given;
        if (!(error instanceof RdapRefusal)) throw error;
        const context = { base, request: config.appUrl + request.url, profile, people: noPeople() };
        const { status, message, headers } = error;
        return reply
          .code(status)
          .headers(headers)
          .type(rdapType)
          .send(bytes(errorBody(context, status, message)));
      }
    });
    scope.options(`${rdapPrefix}/*`, (_request, reply) =>
      reply
        .code(204)
        .headers({
          allow: 'GET, HEAD, OPTIONS',
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': '*',
          'access-control-max-age': '86400',
        })
        .send(),
    );
    scope.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${rdapPrefix}/*`,
      handler: (request, reply) =>
        reply
          .code(405)
          .header('allow', 'GET, HEAD, OPTIONS')
          .type(rdapType)
          .send(
            bytes(
              errorBody({ base, request: config.appUrl + request.url, profile, people: noPeople() }, 405, 'RDAP answers GET and HEAD.'),
            ),
          ),
    });
    done();
  });
}

const examples = ['ip/192.0.2.0/24', 'autnum/64496', 'domain/2.0.192.in-addr.arpa', 'entity/HANDLE', 'entities?fn=example*', 'help'];

/** As bytes, because the framework would add a charset to the type of a text, which must have none (RFC 7480, 4.2; RFC 8259, 11). */
const bytes = (body: object): Buffer => Buffer.from(JSON.stringify(body));

/** Sends an answer that caches must revalidate each time, by comparison (RFC 9110, 8.8.3 and 13.1.2). */
function send(request: FastifyRequest, reply: FastifyReply, body: object): FastifyReply {
  const text = bytes(body);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  void reply.header('etag', etag).header('cache-control', 'no-cache');
  const known = String(request.headers['if-none-match'] ?? '');
  if (known === '*' || known.split(',').some(one => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).send();
  return reply.type(rdapType).send(text);
}

/** Returns the answer with the members that all answers have. */
function completed(context: AnswerContext, { body, redacted }: Answer, search: { kind: string; byRelation: boolean } | null): object {
  const { notices, ...object } = body as { notices?: Notice[] };
  const whole = { ...object, ...(redacted.length > 0 && { redacted }) };
  return { rdapConformance: conformanceOf(whole, { search }), notices: [...noticesOf(context), ...(notices ?? [])], ...whole };
}

const redirectBody = (context: AnswerContext, to: string): Buffer =>
  bytes({
    rdapConformance: conformanceOf({}),
    notices: [
      ...noticesOf(context),
      {
        title: 'Elsewhere',
        description: ['Another registry answers for this.'],
        links: [{ value: context.request, rel: 'related', href: to, type: rdapType }],
      },
    ],
  });

const helpBody = (context: AnswerContext): object => ({
  rdapConformance: conformanceOf({}, { help: true }),
  notices: [
    ...noticesOf(context),
    {
      title: 'Help',
      description: [
        `Networks, AS numbers, reverse zones and contacts of ${context.profile.registryName}.`,
        ...examples.map(example => `${context.base}/${example}`),
      ],
    },
  ],
});

/** Errors that arise outside of a query, as RDAP clients read them: null for addresses that are not RDAP's. */
export function rdapErrors({ config, profile }: Pick<RdapOptions, 'config' | 'profile'>) {
  const base = config.appUrl + rdapPrefix;
  return (
    url: string,
    status: number,
    message: string,
  ): { type: string; headers: Readonly<Record<string, string>>; body: Buffer } | null =>
    url === rdapPrefix || url.startsWith(`${rdapPrefix}/`) || url.startsWith(`${rdapPrefix}?`)
      ? {
          type: rdapType,
          headers: openToAll,
          body: bytes(errorBody({ base, request: config.appUrl + url, profile, people: noPeople() }, status, message)),
        }
      : null;
}
