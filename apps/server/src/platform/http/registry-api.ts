import { createHash } from 'node:crypto';
import { type Endpoint, type ErrorCode, isUpload, type PublicApi } from '@portal/contract';
import { SECOND_MS } from '@portal/contract/days';
import { registryApiErrorsOf } from '@portal/contract/declared-errors';
import { registryApiBase, registryApiPathOf } from '@portal/contract/registry-api-paths';
import { longFieldOf } from '@portal/contract/long-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { type Admission, admitKey } from '../admission.ts';
import type { Change } from '../database/index.ts';
import { refuse } from '../failure.ts';
import { Accepted } from './accepted.ts';
import { send } from './answer.ts';
import type { Admitted } from './caller.ts';
import { answerBy, type EntryPoint, type Handler, type Implementation, noteReplay, type PlainCall } from './endpoints.ts';
import { isPaged, nextCursor, withCursor } from './list-cursors.ts';
import { takesDryRun } from './rehearsal.ts';
import { serialiserOf } from './serialiser.ts';
import { type Fields, fieldsIn, withFields } from './sparse-fields.ts';

type PublicEndpoint = Endpoint & { publicApi: PublicApi };
type Served = { endpoint: PublicEndpoint; handler: Handler };

const jsonType = 'application/json; charset=utf-8';

/**
 * Headers that let scripts of any site read answers (decision 199): callers authenticate with a key, and nothing that a browser adds automatically
 * (cookies, certificates) counts, so that a site gains nothing by using a visitor’s browser.
 */
export const openToScripts = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'deprecation, dry-run, etag, idempotent-replayed, link, location, ratelimit, ratelimit-policy, retry-after, sandbox, sunset, www-authenticate',
} as const;

/** Answers CORS preflight requests. */
function answerPreflights(app: FastifyInstance): void {
  app.options('/registry-api/*', (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...openToScripts,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, if-none-match, traceparent',
        'access-control-max-age': '86400',
      })
      .send(),
  );
}

/**
 * Mounts the registry API: each endpoint that the contract makes public, at its path below `/registry-api/v1/:account`, for callers with an API key. Handlers,
 * admission, transactions and activity lines are those of the portal; a dry run, entity tags and the headers of limits are its own. A sandbox says so in each answer.
 */
export function mountRegistryApi(
  app: FastifyInstance,
  implementations: readonly Implementation[],
  { admission, isSandbox }: { admission: Admission; isSandbox: boolean },
): void {
  const served = implementations.flatMap(({ endpoints, handlers }) =>
    Object.entries(endpoints).flatMap(([key, endpoint]): Served[] =>
      endpoint.publicApi ? [{ endpoint: endpoint as PublicEndpoint, handler: handlers[key] as unknown as Handler }] : [],
    ),
  );
  const reads = new Map(served.filter(({ endpoint }) => endpoint.method === 'GET').map(one => [one.endpoint.publicApi.path, one]));
  const keys = new WeakMap<FastifyRequest, string>();
  answerPreflights(app);
  for (const { endpoint, handler } of served) {
    const isChange = endpoint.method !== 'GET';
    app.route({
      method: endpoint.method,
      url: registryApiPathOf(endpoint.publicApi),
      config: { upload: isUpload(endpoint.body), longField: longFieldOf(endpoint.body), takesHeld: true },
      ...(endpoint.largestBody !== undefined && { bodyLimit: endpoint.largestBody }),
      handler: async (request, reply) => {
        const onKey = (apiKeyId: string, headers: Readonly<Record<string, string>>): void => {
          keys.set(request, apiKeyId);
          void reply.headers(headers);
        };
        const admitCaller = (who: Admitted): Promise<void> => admitKey(who, endpoint, request, admission, onKey);
        const dryRun = isChange && isDryRun(request);
        const tags = isChange ? tagsIn(request.headers['if-match']) : null;
        void reply.headers({ ...openToScripts, ...deprecationOf(endpoint.publicApi), ...(isSandbox && { sandbox: 'true' }) });
        const shown: Shown = { request, reply, fields: null, dryRun };
        const asked = request.query as Record<string, unknown>;
        const read = reads.get(endpoint.publicApi.path);
        const entryPoint: EntryPoint = {
          admit: async who => {
            await admitCaller(who);
            const { fields, ...query } = asked;
            shown.fields = isChange ? null : fieldsIn(fields, endpoint.answer);
            request.query = isChange ? parametersOfChange(query, read) : withCursor(endpoint, query);
          },
          declared: () => declaredBy(endpoint),
          dryRun,
          ...(tags && {
            before: (change: Change, call: PlainCall) => refuseChanged(change, call, { tags, given: asked, read, admission }),
          }),
        };
        return answerBy({ endpoint, handler, admission, request, entryPoint }, answer => {
          noteReplay(request, reply);
          if (dryRun || isRehearsal(endpoint, request)) void reply.header('dry-run', 'true');
          return sendTagged(endpoint, answer, shown);
        });
      },
      onResponse: (request, reply, done) => {
        const apiKeyId = keys.get(request);
        if (apiKeyId !== undefined) admission.noteKeyCall({ apiKeyId, address: request.address, refused: reply.statusCode >= 400 });
        done();
      },
    });
  }
}

/** The errors that a call may answer, found out when one is answered first. */
function declaredBy(endpoint: PublicEndpoint): ReadonlySet<ErrorCode> {
  const declared = declaredErrors.get(endpoint) ?? new Set(registryApiErrorsOf(endpoint));
  declaredErrors.set(endpoint, declared);
  return declared;
}
const declaredErrors = new WeakMap<PublicEndpoint, ReadonlySet<ErrorCode>>();

/** Returns whether a change is requested as a dry run: `?dry-run=true`. @throws Failure INVALID_REQUEST */
function isDryRun({ query }: FastifyRequest): boolean {
  const dryRun = (query as Record<string, unknown>)['dry-run'];
  if (dryRun === undefined || dryRun === 'false') return false;
  if (dryRun === 'true' || dryRun === '') return true;
  throw refuse('INVALID_REQUEST', { detail: 'dry-run: write true or false' });
}

/** Whether a call with `dryRun` in its body is a dry run: unless it says no. */
const isRehearsal = (endpoint: PublicEndpoint, { body }: FastifyRequest): boolean =>
  takesDryRun(endpoint) && (body as { dryRun?: unknown } | null | undefined)?.dryRun !== false;

/** The parameters of the change itself, without those common to all changes and those of the read at its address, which If-Match is about. */
function parametersOfChange({ 'dry-run': _dryRun, ...query }: Record<string, unknown>, read: Served | undefined): Record<string, unknown> {
  const { shape = {} } = (read?.endpoint.query as z.ZodMiniObject | undefined)?._zod.def ?? {};
  return Object.fromEntries(Object.entries(query).filter(([name]) => !(name in shape)));
}

/** Options of an answer: `fields` are those that the caller selected. */
type Shown = { request: FastifyRequest; reply: FastifyReply; fields: Fields | null; dryRun: boolean };

/**
 * Sends an answer; what was read has an entity tag, and is not sent again to a caller who has it (RFC 9110, section 13.1.2). A page of a list links
 * to the next one (RFC 8288), and background work to its task.
 */
async function sendTagged(endpoint: PublicEndpoint, answer: unknown, { request, reply, fields, dryRun }: Shown): Promise<unknown> {
  if (!endpoint.answer || endpoint.answer === 'download') return send(endpoint, answer, reply);
  const value = answer instanceof Accepted ? answer.answer : answer;
  const whole = serialiserOf(endpoint.answer)(value);
  if (answer instanceof Accepted) return reply.code(202).type(jsonType).send(whole);
  if (endpoint.method !== 'GET') return sendChange(whole, value, { request, reply, dryRun });
  const next = isPaged(endpoint) ? nextCursor(endpoint, z.parse(endpoint.query!, request.query), value) : null;
  if (next !== null) void reply.header('link', `<${addressWith(request.url, next)}>; rel="next"`);
  const text = fields ? JSON.stringify(withFields(JSON.parse(whole), fields)) : whole;
  const tag = tagOf(text);
  void reply.header('etag', tag);
  const has = tagsIn(request.headers['if-none-match']);
  if (has?.includes('*') || has?.includes(tag)) return reply.code(304).send();
  return reply.type(jsonType).send(text);
}

/** Sends what a change answers: 202 with the address of the task where one carries it out. A dry run starts none. */
function sendChange(text: string, value: unknown, { request, reply, dryRun }: Omit<Shown, 'fields'>): FastifyReply {
  const { taskId, outcomes } = value as { taskId?: number | null; outcomes?: unknown };
  const isUnderWay = taskId !== undefined && taskId !== null && (outcomes === null || outcomes === undefined);
  if (isUnderWay && !dryRun) {
    const { account = '' } = request.params as { account?: string };
    void reply.code(202).header('location', `${registryApiBase}/${encodeURIComponent(account)}/tasks/${taskId}`);
  }
  return reply.type(jsonType).send(text);
}

/** The address of the next page: the requested one with another cursor. */
function addressWith(url: string, cursor: string): string {
  const [path, query = ''] = url.split('?', 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters.toString()}`;
}

/** Headers that announce the end of a call: since when it is deprecated (RFC 9745), when it ends (RFC 8594). None for the others. */
export function deprecationOf({ deprecated }: PublicApi): Record<string, string> {
  if (!deprecated) return {};
  const { since, sunset } = deprecated;
  return {
    deprecation: `@${Date.parse(`${since}T00:00:00Z`) / SECOND_MS}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
  };
}

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** The entity tags of a header, weak ones as strong ones: a compressed answer has the same content. Null where there is no header. */
const tagsIn = (header: string | undefined): string[] | null =>
  header === undefined ? null : header.split(',').map(tag => tag.trim().replace(/^W\//, ''));

/**
 * Refuses a change if the caller has read an older state: the account is locked, and the answer of a GET at the same address and query is compared
 * with the tags of If-Match. @throws Failure PRECONDITION_FAILED; INVALID_REQUEST where nothing can be read at the path
 */
async function refuseChanged(
  change: Change,
  call: PlainCall,
  { tags, given, read, admission }: { tags: readonly string[]; given: unknown; read: Served | undefined; admission: Admission },
): Promise<void> {
  const { answer, query } = read?.endpoint ?? {};
  const parsed = query ? z.safeParse(query, given) : { success: true as const, data: undefined };
  if (!read || !answer || answer === 'download' || !parsed.success)
    throw refuse('INVALID_REQUEST', { detail: 'If-Match: nothing with an entity tag can be read at this address' });
  if (call.account) await admission.lockAccount(change, call.account.accountName);
  if (tags.includes('*')) return;
  const present = tagOf(
    serialiserOf(answer)(
      await read.handler({ ...call, query: parsed.data, body: undefined, read: change, registry: admission.registry() }),
    ),
  );
  if (!tags.includes(present)) throw refuse('PRECONDITION_FAILED', { given: tags.join(', '), present });
}
