import {
  type Access,
  type AccessOf,
  type AnswerOf,
  type BodyOf,
  countsOnlyWithSecondFactor,
  type Download,
  type Endpoint,
  type Flag,
  flags,
  isUpload,
  type MethodOf,
  type ParamsOf,
  type Permission,
  type QueryOf,
  type ReceivedFile,
  type SecondFactor,
  type Upload,
} from '@portal/contract';
import { traceIdOf } from '@portal/contract/trace';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { Accepted } from './accepted.ts';
import type { Caller } from './caller.ts';
import type { ActivityInfo, Change, Database, Read } from './database/index.ts';
import { Failure, refuse, refuseFields, refuseWith } from './failure.ts';
import { doneOnce, idempotencyKeyOf } from './idempotency.ts';
import { serialiserOf } from './serialiser.ts';

/** The account of the path and what the caller may do in it. Only `mount` makes one, after membership was checked. */
export type AdmittedAccount = {
  accountName: string;
  accountStatus: string;
  accountType: string;
  nir: boolean;
  contactId: string | null;
  contactTypes: readonly string[];
  permissions: ReadonlySet<Permission>;
  /** The day (UTC) from which the account asks its contacts for a second factor; null: it does not. */
  secondFactorFrom?: string | null;
  /** Registry staff looks at an account they are no contact of: reading only. */
  asStaff: boolean;
};

type Who<E> =
  AccessOf<E> extends { who: 'anyone' }
    ? { caller?: undefined }
    : AccessOf<E> extends { who: 'member' | 'contact' | 'corporate' }
      ? { caller: Caller; account: AdmittedAccount }
      : { caller: Caller };
type Db<E> = MethodOf<E> extends 'GET' ? { read: Read } : { change: Change };

/** What a handler is handed; only what its endpoint declares. `isFresh`: the call was admitted like one of an endpoint that is `fresh`. */
export type Call<E> = Who<E> & Db<E> & { params: ParamsOf<E>; query: QueryOf<E>; body: BodyOf<E>; traceId: string; isFresh: boolean };

/**
 * Thrown by a handler that finds something in what it was given that takes a second factor given just now (S24), though its endpoint as a whole does
 * not. Nothing of what it did stays; the call is admitted as one of a `fresh` endpoint, and handled once more.
 */
export class FreshFactorNeeded extends Error {}
/** One handler for every endpoint of a group; a missing one does not compile. */
export type Handlers<G> = { [K in keyof G]: (call: Call<G[K]>) => Promise<AnswerOf<G[K]> | Accepted<AnswerOf<G[K]>>> };

export type Implementation = {
  endpoints: Record<string, Endpoint>;
  handlers: Record<string, (call: never) => Promise<unknown>>;
};

/** Pairs a group of the contract with its handlers. */
export function implement<G extends Record<keyof G, object>>(endpoints: G, handlers: Handlers<G>): Implementation {
  return { endpoints, handlers } as unknown as Implementation;
}

/** How `mount` learns who calls and what they may do; the modules identity and accounts answer. */
export type Admission = {
  db: Database;
  /** @throws Failure NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE */
  judgeBearer(authorization: string | undefined): Promise<Caller>;
  /** The caller's membership of an account, read from the database on every call; null when there is none. */
  membershipOf(caller: Caller, accountName: string): Promise<AdmittedAccount | null>;
  /** The account a person of the registry looks at during a visit; null when they look at none. */
  visitedAccountOf(caller: Caller): Promise<AdmittedAccount | null>;
  /** Until when (ISO 8601) a login waits before it changes the registry again, and why; null when it does not (S27). Read from the database. */
  coolDownOf(loginId: string): Promise<{ until: string; why: string } | null>;
  /** Keeps a file that arrives, judged by its content. What is refused is not kept. @throws Failure FILE_TOO_LARGE, FILE_REFUSED, TOO_MANY_REQUESTS */
  receiveFile(caller: Caller, file: ArrivingFile): Promise<ReceivedFile>;
  /**
   * Tells those who answer for the account of what changed the registry (S30), unless the change has told them. In the change itself, so that
   * neither happens without the other.
   */
  tellOfChange(change: Change, account: AdmittedAccount, what: string): Promise<void>;
  /** Whether a second person approves a call before it is done (S25). */
  needsSecondPerson(endpoint: Endpoint, who: Admitted): Promise<boolean>;
  /** Writes down what waits for a second person, and answers the refusal that says so. */
  propose(change: Change, asked: ProposedCall): Promise<Failure>;
  /** acr asked for in a step-up challenge (RFC 9470). */
  stepUpAcr: string;
  /** How long ago, in seconds, the sign-in may be for what changes the registry (S24). */
  stepUpMaxAgeSeconds: number;
  clock: () => Date;
  /** Which feature flags are on. */
  flags: Readonly<Record<Flag, boolean>>;
};

/** A file on its way in: what it calls itself, and what the endpoint takes. `announced` is its Content-Length, where there is one. */
export type ArrivingFile = { name: string; announced: number | null; chunks: AsyncIterable<Uint8Array>; takes: Upload };

/** A call that is done once a second person has approved it: what it was given, and what it would write into the activity log. */
export type ProposedCall = {
  endpoint: Endpoint;
  caller: Caller;
  account?: AdmittedAccount | undefined;
  input: { params: unknown; body: unknown };
  shown: Record<string, unknown>;
};

/** Mounts a group. Sign-in, membership, permission, MFA, validation, transaction and activity happen here and nowhere else. */
export function mount(app: FastifyInstance, { endpoints, handlers }: Implementation, admission: Admission): void {
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[key] as unknown as (call: unknown) => Promise<unknown>;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...serialised(endpoint),
      config: { upload: isUpload(endpoint.body) },
      ...(endpoint.largestBody !== undefined && { bodyLimit: endpoint.largestBody }),
      handler: async (request, reply) => {
        const traceId = request.traceId;
        // Filled as far as admission gets, so that a refused attempt names whom it can.
        const who: Admitted = {};
        try {
          await admit(who, endpoint.access, request, admission);
          if (endpoint.flag && !admission.flags[endpoint.flag]) throw refuse('FEATURE_OFF', { feature: flags[endpoint.flag].gates });
          const call = {
            ...who,
            traceId,
            isFresh: 'fresh' in endpoint.access && endpoint.access.fresh === true,
            params: request.params,
            query: parse(endpoint.query, request.query, 'query'),
            body: isUpload(endpoint.body)
              ? await receive(endpoint.body, who.caller, request, admission)
              : parse(endpoint.body, request.body, 'body'),
          };
          const answer = endpoint.method === 'GET' ? await handler({ ...call, read: admission.db.read }) : await perform().catch(admitAnew);
          async function admitAnew(error: unknown): Promise<unknown> {
            if (!(error instanceof FreshFactorNeeded)) throw error;
            await admitFactors({ mfa: true, fresh: true }, who.caller!, admission);
            call.isFresh = true;
            return perform();
          }
          async function perform(): Promise<unknown> {
            const activity = activityOf(endpoint, who, request);
            const run = async (change: Change): Promise<unknown> => {
              const done = await handler({ ...call, change });
              if (call.isFresh && who.account) await admission.tellOfChange(change, who.account, endpoint.activity ?? endpoint.summary);
              return done;
            };
            if (endpoint.secondPerson && who.caller && (await admission.needsSecondPerson(endpoint, who))) {
              // Done and undone: what would be refused is refused now, and what would happen is what the second person sees.
              const shown = await admission.db.rehearse(activity, async change => {
                await handler({ ...call, change });
                return noted(change);
              });
              const { caller, account } = who;
              const proposed = { endpoint, caller, account, input: { params: call.params, body: call.body }, shown };
              const proposing = { ...activity, action: 'proposals.propose', summary: 'Proposed a change to a second person' };
              throw await admission.db.change(proposing, change => admission.propose(change, proposed));
            }
            const key = endpoint.idempotent && who.caller ? idempotencyKeyOf(request.headers) : null;
            if (key === null) return admission.db.change(activity, run);
            const asked = { key, loginId: who.caller!.loginId, endpoint: endpoint.id, path: request.url, body: call.body };
            return doneOnce(admission.db, activity, asked, run);
          }
          return await send(endpoint, answer, reply);
        } catch (error) {
          // Attempts matter in a registry: a refused change leaves a line although its transaction is gone.
          if (error instanceof Failure && error.code !== 'SECOND_PERSON' && endpoint.method !== 'GET' && who.caller)
            await admission.db.recordRefusal(activityOf(endpoint, who, request), error.code);
          throw error;
        }
      },
    });
  }
}

/** What a change has noted so far. */
async function noted(change: Change): Promise<Record<string, unknown>> {
  const { details } = await change
    .selectFrom('activity')
    .select('details')
    .where('activityId', '=', change.activityId)
    .executeTakeFirstOrThrow();
  return details as Record<string, unknown>;
}

async function send(endpoint: Endpoint, answer: unknown, reply: FastifyReply): Promise<unknown> {
  if (endpoint.answer === 'download') {
    const { fileName, contentType, chunks, bytes } = answer as Download;
    if (bytes !== undefined) void reply.header('content-length', bytes);
    return reply.type(contentType).header('content-disposition', attachmentNamed(fileName)).send(Readable.from(chunks));
  }
  if (answer instanceof Accepted) return reply.code(202).send(answer.answer);
  if (answer === undefined) return reply.code(204).send();
  return answer;
}

/** What makes a browser save it, in the file's own name (RFC 6266); those who read no UTF-8 get the name in ASCII. */
function attachmentNamed(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  if (ascii === fileName) return `attachment; filename="${fileName}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** A file as the body of a call. It is on disk before the change begins, which writes what the registry knows of it. */
async function receive(takes: Upload, caller: Caller | undefined, request: FastifyRequest, admission: Admission): Promise<ReceivedFile> {
  if (!caller) throw refuse('NOT_SIGNED_IN');
  const { 'content-type': contentType, 'content-length': length } = request.headers;
  if (!(request.body instanceof Readable) || !/^application\/octet-stream\b/i.test(contentType ?? ''))
    throw refuse('INVALID_REQUEST', { detail: 'the body must be the file itself (content-type application/octet-stream)' });
  const { fileName } = request.query as { fileName?: string };
  return admission.receiveFile(caller, {
    name: fileName ?? 'file',
    announced: length === undefined ? null : Number(length),
    chunks: request.body as AsyncIterable<Uint8Array>,
    takes,
  });
}

export type Admitted = { caller?: Caller; account?: AdmittedAccount };

/** In this order: token, account known to the caller (else as if it did not exist), permission, second factor. */
async function admit(who: Admitted, access: Access, request: FastifyRequest, admission: Admission): Promise<void> {
  if (access.who === 'anyone') return;
  const caller = await admission.judgeBearer(request.headers.authorization);
  who.caller = caller;
  if (access.who === 'signed-in') return;
  if (access.who === 'staff') {
    // Whoever is not staff is not told that there is something for staff.
    if (!caller.staff) throw refuse('NOT_FOUND', { what: 'This address' });
    await admitFactors(access, caller, admission);
    return;
  }
  const { account: accountName } = request.params as { account: string };
  const account = await admission.membershipOf(caller, accountName);
  if (!account || account.accountStatus === 'closed') {
    if (!caller.staff) throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
    if (!caller.mfa) throw refuseWith(challenge(admission), 'MFA_REQUIRED');
    const visited = await admission.visitedAccountOf(caller);
    if (visited?.accountName !== accountName) throw refuse('VISIT_NEEDED', { account: accountName });
    if (request.method !== 'GET') {
      who.account = visited;
      throw refuse('VISIT_READS_ONLY', { account: accountName });
    }
    if (access.who !== 'contact' && !(access.who === 'member' && access.staff === true))
      throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
    who.account = visited;
    return;
  }
  who.account = account;
  if (demandsSecondFactor(account, admission.clock()) && !caller.mfa)
    throw refuseWith(challenge(admission), 'SECOND_FACTOR_DEMANDED', { account: accountName });
  if (access.who === 'corporate' && !account.contactTypes.includes('corporate')) throw refuse('CORPORATE_ONLY');
  const held = access.who === 'member' ? access.permissions.filter(permission => account.permissions.has(permission)) : [];
  if (access.who === 'member' && held.length === 0) throw refuse('NO_PERMISSION');
  if (access.who !== 'contact')
    await admitFactors({ ...access, mfa: access.mfa || countsOnlyWithSecondFactor(held) } as SecondFactor, caller, admission);
}

const demandsSecondFactor = ({ secondFactorFrom }: AdmittedAccount, now: Date): boolean =>
  typeof secondFactorFrom === 'string' && secondFactorFrom <= now.toISOString().slice(0, 10);

/** Clocks of two machines may differ by this much. */
const TOLERANCE_SECONDS = 5;

async function admitFactors({ mfa, fresh }: SecondFactor, caller: Caller, admission: Admission): Promise<void> {
  if (!fresh) {
    if (mfa && !caller.mfa) throw refuseWith(challenge(admission), 'MFA_REQUIRED');
    return;
  }
  // First, so that nobody gives a second factor for nothing.
  const coolDown = await admission.coolDownOf(caller.loginId);
  if (coolDown) throw refuse('COOLING_DOWN', { why: coolDown.why, until: inWords(coolDown.until) });
  const { stepUpMaxAgeSeconds, clock } = admission;
  const anew = challenge(admission, stepUpMaxAgeSeconds);
  // A recovery code lets a person in to enrol anew; it is no second factor for the registry.
  if (!caller.mfa || caller.amr.includes('rc')) throw refuseWith(anew, 'MFA_REQUIRED');
  // Without a time of sign-in nobody can say that it is recent (identity.md section 6).
  const age = caller.authTime === null ? Number.POSITIVE_INFINITY : clock().getTime() / 1000 - caller.authTime;
  if (age > stepUpMaxAgeSeconds + TOLERANCE_SECONDS || age < -TOLERANCE_SECONDS)
    throw refuseWith(anew, 'MFA_TOO_OLD', { minutes: String(Math.max(1, Math.round(stepUpMaxAgeSeconds / 60))) });
}

/** The challenge of RFC 9470: the portal asks for what is missing and repeats the call. */
const challenge = ({ stepUpAcr }: Admission, maxAgeSeconds?: number): { 'www-authenticate': string } => ({
  'www-authenticate': [
    `Bearer error="insufficient_user_authentication", acr_values="${stepUpAcr}"`,
    ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
  ].join(', '),
});

const inWords = (instant: string): string => `${instant.slice(0, 16).replace('T', ' at ')} UTC`;

/** The line an endpoint leaves in the activity log. */
function activityOf(endpoint: Endpoint, { caller, account }: Admitted, request: FastifyRequest): ActivityInfo {
  return {
    action: endpoint.id,
    summary: endpoint.activity ?? endpoint.summary,
    traceId: request.traceId,
    address: request.ip,
    ...(account && { accountName: account.accountName, contactId: account.contactId }),
    ...(caller && { login: { issuer: caller.issuer, subject: caller.subject }, sid: caller.sid, amr: caller.amr }),
  };
}

/** So many mistakes are named at most, so that no answer is much larger than its question. */
const MOST_PROBLEMS = 100;

/** The parsed input. @throws Failure INVALID_REQUEST with an error for each mistake, at its field */
function parse(schema: z.core.$ZodType | undefined, given: unknown, where: string): unknown {
  if (!schema) return undefined;
  const result = z.safeParse(schema, given ?? {});
  if (result.success) return result.data;
  throw refuseFields(result.error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({ field: path.join('.') || where, message })));
}

/** What tells Fastify that the answer has a serialiser, which sends no field that is not in its schema. */
function serialised({ answer }: Endpoint): Pick<RouteShorthandOptions, 'schema' | 'serializerCompiler'> {
  if (!answer || answer === 'download') return {};
  return { schema: { response: { '2xx': {} } }, serializerCompiler: () => sent => serialiserOf(answer)(sent) };
}

/** The trace id of a request: the caller's, or a new one. */
export const traceOf = (request: FastifyRequest): string =>
  traceIdOf(request.headers.traceparent as string | undefined) ?? crypto.randomUUID().replaceAll('-', '');

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file; it may take its time, and be large. */
    upload?: boolean;
  }
  interface FastifyRequest {
    /** Stands in logs, activity, error answers and reports alike. */
    traceId: string;
  }
}
