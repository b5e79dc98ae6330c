import {
  type AccessOf,
  type AnswerOf,
  approvedBefore,
  type BodyOf,
  type Download,
  type Endpoint,
  type ErrorCode,
  isUpload,
  type MethodOf,
  type MovesCase,
  type ParamsOf,
  type QueryOf,
  takesIdempotencyKey,
} from '@portal/contract';
import { errorsOf } from '@portal/contract/declared-errors';
import { consequencesOf } from '@portal/contract/effects';
import { longFieldOf } from '@portal/contract/long-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, type ProposedSubject, refuseStopped } from '../admission.ts';
import type { ActivityInfo, Change, Database, Read } from '../database/index.ts';
import { Failure, refuseField } from '../failure.ts';
import { type HeldText, withTexts } from '../held-text.ts';
import { countedAct } from '../limited.ts';
import type { Registry } from '../registry.ts';
import type { Accepted } from './accepted.ts';
import { send, serialised } from './answer.ts';
import { withAskedAct } from './asked-act.ts';
import { LONG_BODY } from './body-limit.ts';
import type { Admitted, AdmittedAccount, Caller } from './caller.ts';
import { type CasesOf, movingCase } from './cases.ts';
import { idempotencyKeyOf, runIdempotently } from './idempotency.ts';
import type { Implementation } from './implementation.ts';
import { inputOf } from './input.ts';
import { asCalled } from './rehearsal.ts';
import { sentInTurn } from './sent-in-turn.ts';

export type { AdmittedAccount } from './caller.ts';
export type { Implementation } from './implementation.ts';

type Who<E> =
  AccessOf<E> extends { who: 'anyone' }
    ? { caller?: undefined }
    : AccessOf<E> extends { who: 'member' | 'contact' | 'corporate' }
      ? { caller: Caller; account: AdmittedAccount }
      : { caller: Caller };
type Db<E> =
  MethodOf<E> extends 'GET'
    ? { read: Read }
    : E extends { unrecorded: string }
      ? Pick<Database, 'read' | 'unrecorded'>
      : { change: Change };

/**
 * The argument of an endpoint's function: who calls and for which account, what its endpoint declares of the input, the database to read or to change,
 * and the registry at that moment. `hasSecondPerson`: it is rehearsed for a second person, or carried out after one approved it. `asksRegistry`: a second contact would approve it
 * if the account weren't closed; the function asks who its endpoint names in `secondPersonOfClosed`.
 */
export type Act<E> = Who<E> &
  Db<E> & {
    params: ParamsOf<E>;
    query: QueryOf<E>;
    body: BodyOf<E>;
    traceId: string;
    hasSecondPerson: boolean;
    asksRegistry?: boolean;
    registry: Registry;
  };

/**
 * Thrown by a handler that finds something in its input that a second person has to approve (S25), though its endpoint as a whole does not need one.
 * It throws this after all its refusals. Its changes are rolled back; the call is proposed like one of a `secondPerson` endpoint.
 */
export class SecondPersonNeeded extends Error {
  /** The matter that the second person decides about; null: the words of the act. */
  readonly subject: ProposedSubject | null;

  constructor(subject: ProposedSubject | null = null) {
    super('A second person has to approve it');
    this.subject = subject;
  }
}
/**
 * The argument of the function of an endpoint that moves a case: with the case, locked and in a state from which the move is possible. @param Needs of the
 * registry, where the function is called by others than its endpoint
 */
export type CaseAct<E, Row, Needs extends keyof Registry = keyof Registry> = Omit<Act<E>, 'registry'> & {
  row: Row;
  registry: Pick<Registry, Needs>;
};

/** One function for every endpoint of a group. A missing one does not compile, and neither does one that asks for what its endpoint does not give. */
export type Handlers<G, Row = never> = {
  [K in keyof G]: (
    act: MovesCase<G[K]> extends true ? CaseAct<G[K], Row> : Act<G[K]>,
  ) => Promise<AnswerOf<G[K]> | Accepted<AnswerOf<G[K]>>>;
};

/**
 * Returns the handler of a change that parses untrusted input in a thread with limits before its transaction begins, so that no transaction waits for
 * that. When a change is carried out after a second person approved it, the input is parsed again within the transaction. @param readFirst `given` of
 * the handler is what it returns
 */
export const afterReading = <C extends { change: Change }, Given, Answer>(
  readFirst: (call: Omit<C, 'change'> & { read: Read }) => Promise<Given>,
  handler: (call: C, given: Given) => Promise<Answer>,
): ((call: C) => Promise<Answer>) =>
  Object.assign(
    async (call: C & { given?: { is: Given } }) =>
      handler(call, call.given ? call.given.is : await readFirst({ ...call, read: call.change })),
    { readFirst },
  );

/** Whether an endpoint of the group moves a case. */
type MovesCases<G> = true extends { [K in keyof G]: MovesCase<G[K]> }[keyof G] ? true : false;

/**
 * Pairs a group of the contract with the functions of its endpoints, which have the same names. Where an endpoint moves a case, the group says how its cases
 * are found and locked. An act with a limit is not done without being counted.
 */
export function implement<G extends Record<keyof G, object>, Row = never>(
  endpoints: G,
  handlers: Handlers<G, Row>,
  ...[cases]: MovesCases<G> extends true ? [cases: CasesOf<Row>] : []
): Implementation {
  const implementation = { endpoints, handlers } as unknown as Implementation;
  const kept = Object.entries(implementation.handlers).map(([key, handler]) => {
    const endpoint = implementation.endpoints[key]!;
    const counted = countedAct(endpoint, handler);
    return [key, cases ? movingCase(endpoint, counted, cases) : counted];
  });
  return { ...implementation, handlers: Object.fromEntries(kept) as Implementation['handlers'] };
}

/** An act before the compiler knows which: what each has, and the database to read or to change. */
type AnyAct = PlainCall & { registry: Registry; read?: Read; change?: Change; unrecorded?: Database['unrecorded'] };
/** The function of an endpoint, before the compiler knows which. */
export type Handler = ((act: AnyAct) => Promise<unknown>) & { readFirst?: (act: AnyAct) => Promise<unknown> };

/** Mounts a group. Sign-in, membership, permission, MFA, validation, transaction and activity are handled only here. */
export function mount(app: FastifyInstance, { endpoints, handlers }: Implementation, admission: Admission): void {
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[key] as unknown as Handler;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...serialised(endpoint),
      config: {
        upload: isUpload(endpoint.body),
        longField: longFieldOf(endpoint.body),
        takesHeld: true,
        isRead: endpoint.method === 'GET' && endpoint.answer !== 'download',
      },
      ...(endpoint.largestBody !== undefined && { bodyLimit: endpoint.largestBody }),
      handler: (request, reply) => answer({ endpoint, handler, admission, request }, reply),
    });
  }
}

/** Entry point of a call, other than the portal's own. */
export type EntryPoint = {
  /** Admits the caller and fills `who` with it. */
  admit: (who: Admitted) => Promise<void>;
  /** The errors it may answer. */
  declared: () => ReadonlySet<ErrorCode>;
  /** The change is made, answered and rolled back. */
  dryRun: boolean;
  /** Runs within a change, before its handler. */
  before?: (change: Change, call: PlainCall) => Promise<void>;
};

/** A call in progress. */
export type IncomingCall = { endpoint: Endpoint; handler: Handler; admission: Admission; request: FastifyRequest; entryPoint?: EntryPoint };

const answer = (incoming: IncomingCall, reply: FastifyReply): Promise<unknown> =>
  answerBy(incoming, answered => {
    noteReplay(incoming.request, reply);
    return send(incoming.endpoint, answered, reply);
  });

/** Marks an answer as that of an earlier call with the same idempotency key. */
export function noteReplay({ isReplayed }: FastifyRequest, reply: FastifyReply): void {
  if (isReplayed) void reply.header('idempotent-replayed', 'true');
}

/** Answers a call: admits the caller, reads the input, reads or changes, and sends what the handler answers. @throws Failure */
export async function answerBy(given: IncomingCall, sendAnswer: (answer: unknown) => Promise<unknown>): Promise<unknown> {
  const endpoint = asCalled(given.endpoint, given.request.body);
  const incoming = { ...given, endpoint };
  const { admission, request, entryPoint } = incoming;
  const who: Admitted = {};
  try {
    await (entryPoint ? entryPoint.admit(who) : admit(who, endpoint, request, admission));
    const input = await arrived(incoming, who);
    // What a second person would have to approve is shown by a dry run as if it were approved.
    const call: PlainCall = {
      ...who,
      ...input,
      traceId: request.traceId,
      hasSecondPerson: entryPoint?.dryRun === true,
    };
    return await sendAnswer(await answeredInTurn({ ...incoming, who, call }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await noteRefusal(incoming, who, error);
    throw await withAskedAct(error, incoming, who);
  }
}

/** Reads the input of a call; a file once its sender may upload it. */
async function arrived({ endpoint, admission, request }: IncomingCall, who: Admitted): Promise<Awaited<ReturnType<typeof inputOf>>> {
  if (!endpoint.body || !isUpload(endpoint.body)) return inputOf(endpoint, who, request, admission);
  const end = await admission.turns.takeFile(who);
  try {
    return await inputOf(endpoint, who, request, admission);
  } finally {
    end();
  }
}

/** Answers a call once its caller's limit allows it: concurrent calls of one login never take the connections that others need. @throws Failure TOO_MANY_REQUESTS */
async function answeredInTurn(doing: Doing): Promise<unknown> {
  const { who, endpoint, request } = doing;
  const { turns } = doing.admission;
  const end = await turns.take(who, { isRead: endpoint.method === 'GET', isLong: isLong(request) });
  try {
    const answer = await answered(doing);
    return endpoint.answer === 'download' ? sentInTurn(answer as Download, turns, who) : answer;
  } finally {
    end();
  }
}

/** Returns whether a call takes long because it brings much, or doesn't say how much. */
const isLong = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= LONG_BODY;

/** Runs a read, a write outside the registry's data, or a change. */
async function answered(doing: Doing): Promise<unknown> {
  const { endpoint, handler, admission, call } = doing;
  const { unrecorded } = admission.db;
  const mayLag = endpoint.readsFrom === 'replica' && doing.who.caller;
  const read = mayLag ? await admission.db.readSeeing(mayLag) : admission.db.read;
  if (endpoint.method === 'GET') return handler({ ...call, read, registry: admission.registry() });
  if (endpoint.unrecorded) return handler({ ...call, read, unrecorded, registry: admission.registry() });
  if (!handler.readFirst) return change(doing);
  const given = { is: await handler.readFirst({ ...call, read, registry: admission.registry() }) };
  return change({ ...doing, call: { ...call, given } });
}

/** The input of every handler besides `read` or `change`, and the registry when it begins. */
export type PlainCall = Admitted & {
  params: unknown;
  query: unknown;
  body: unknown;
  traceId: string;
  hasSecondPerson: boolean;
  asksRegistry?: boolean;
  /** Of a handler that reads before its transaction: what it read. */
  given?: { is: unknown };
};
type Doing = IncomingCall & { who: Admitted; call: PlainCall };

/** Makes a change. If its handler finds that it needs a second person, it is proposed. */
async function change(doing: Doing): Promise<unknown> {
  const { endpoint, admission, request } = doing;
  try {
    return await changeAsAdmitted(doing);
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error;
    if (!endpoint.secondPersonWhen) admission.undeclared(endpoint.id, 'SECOND_PERSON', request.traceId);
    throw await proposed(doing, doing.who.caller!, error.subject);
  }
}

async function changeAsAdmitted(doing: Doing): Promise<unknown> {
  const { endpoint, admission, request, who, call, entryPoint } = doing;
  const activity = activityOf(endpoint, who, request);
  if (entryPoint?.dryRun) return admission.db.rehearse(activity, inChange => handled(doing, inChange));
  const needsAnother = who.caller !== undefined && (await needsSecondPerson(endpoint, who, admission));
  const asksRegistry = needsAnother && who.account?.accountStatus === 'closed' && endpoint.secondPersonOfClosed !== undefined;
  if (needsAnother && !asksRegistry) throw await proposed(doing, who.caller!);
  const run = (inChange: Change): Promise<unknown> => handled({ ...doing, call: { ...call, asksRegistry } }, inChange);
  const key = who.caller && takesIdempotencyKey(endpoint) ? idempotencyKeyOf(request.headers) : null;
  if (key === null) return admission.db.change(activity, run);
  return runIdempotently(
    admission.db,
    activity,
    {
      key,
      loginId: who.caller!.loginId,
      endpoint: endpoint.id,
      path: request.url,
      body: call.body,
      isHarmless: !consequencesOf(endpoint).waits,
      onceOnly: endpoint.onceOnly,
    },
    run,
    () => {
      request.isReplayed = true;
    },
  );
}

/** Whether a call needs a second person regardless of its input. */
const needsSecondPerson = async (endpoint: Endpoint, who: Admitted, admission: Admission): Promise<boolean> => {
  const by = approvedBefore(endpoint);
  return by === 'always' || (by === 'account' && who.account !== undefined && (await admission.hasTwoPersonRule(who.account.accountName)));
};

/** Passes the call to its handler; the people responsible for the account are notified of a registry change in the same transaction. */
async function handled({ endpoint, handler, admission, who, call, entryPoint }: Doing, inChange: Change): Promise<unknown> {
  await entryPoint?.before?.(inChange, call);
  await refuseStopped(endpoint, who.account, admission, inChange);
  // The time of a change is never before that of its rows: what it ends has ended.
  const done = await handler({ ...call, change: inChange, registry: admission.registry() });
  if (who.account && consequencesOf(endpoint).notice)
    await admission.notifyAboutChange(inChange, who.account, endpoint.activity ?? endpoint.summary);
  return done;
}

/**
 * Records a change that needs a second person's approval, and returns the refusal that says so. The change is made and rolled back: what would be
 * refused is refused now, and the second person sees what would happen.
 */
async function proposed(
  { endpoint, handler, admission, request, who, call }: Doing,
  caller: Caller,
  subject: ProposedSubject | null = null,
): Promise<Failure> {
  const activity = activityOf(endpoint, who, request);
  const { details, accountName } = await admission.db.rehearse(activity, async inChange => {
    await handler({ ...call, change: inChange, hasSecondPerson: true, registry: admission.registry() });
    return noted(inChange);
  });
  const input = { params: call.params, body: withTexts(call.body, shortEnough) };
  const proposing =
    endpoint.access.who === 'staff'
      ? { ...activity, action: 'proposals.proposeAtDesk', summary: 'Proposed a change to a second person' }
      : { ...activity, action: 'proposals.propose', summary: 'Proposed a change to a second person' };
  const shown = details as Record<string, unknown>;
  return admission.db.change(proposing, inChange =>
    admission.propose(inChange, { endpoint, caller, account: who.account, concerns: accountName, subject, input, shown }),
  );
}

/** The most that a second person is asked to approve, in bytes of a text. */
const MAX_PROPOSED = 1_000_000;

/** A long text in a proposal, which is stored with it. @throws Failure INVALID_REQUEST */
function shortEnough(text: HeldText, name: string): string {
  if (text.bytes > MAX_PROPOSED)
    throw refuseField(name, 'A second person has to approve it, at most 1 MB at a time. Send it in smaller parts');
  return text.whole();
}

/** Returns the details that a change has noted so far, and the account that it concerns. */
function noted(change: Change): Promise<{ details: unknown; accountName: string | null }> {
  return change
    .selectFrom('activity')
    .select(['details', 'accountName'])
    .where('activityId', '=', change.activityId)
    .executeTakeFirstOrThrow();
}

/** Attempts matter in a registry: a refused change leaves a line although its transaction is gone. An error that is not declared is a defect of the contract. */
async function noteRefusal({ endpoint, admission, request, entryPoint }: IncomingCall, who: Admitted, { code }: Failure): Promise<void> {
  if (!(entryPoint ? entryPoint.declared() : declaredBy(endpoint)).has(code)) admission.undeclared(endpoint.id, code, request.traceId);
  const leavesLine = !entryPoint?.dryRun && (endpoint.activity !== undefined || endpoint.guessable);
  if (leavesLine && code !== 'SECOND_PERSON' && who.caller) await admission.db.recordRefusal(activityOf(endpoint, who, request), code);
}

/** The errors an endpoint may answer, found out when one is answered first. */
function declaredBy(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const declared = declaredErrors.get(endpoint) ?? new Set(errorsOf(endpoint));
  declaredErrors.set(endpoint, declared);
  return declared;
}
const declaredErrors = new WeakMap<Endpoint, ReadonlySet<ErrorCode>>();

/** The methods that were proven for a call: those of the sign-in, and those of its confirmation. */
const methodsOf = ({ amr, confirmed }: Caller): readonly string[] => (confirmed ? [...new Set([...amr, ...confirmed.amr])] : amr);

/** The line an endpoint leaves in the activity log. */
function activityOf(endpoint: Endpoint, { caller, account }: Admitted, request: FastifyRequest): ActivityInfo {
  return {
    action: endpoint.id,
    summary: endpoint.activity ?? endpoint.summary,
    traceId: request.traceId,
    address: request.address,
    ...(account && { accountName: account.accountName, contactId: account.contactId }),
    ...(caller && { login: { issuer: caller.issuer, subject: caller.subject }, sid: caller.sid, amr: methodsOf(caller) }),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its answer is that of an earlier call with the same idempotency key. */
    isReplayed?: boolean;
  }
  interface FastifyContextConfig {
    /** The body is a file; it may take its time, and be large. */
    upload?: boolean;
    /** A read of the contract that answers JSON. */
    isRead?: boolean;
  }
}
