import {
  type AnswerOf,
  type BodyInputOf,
  type Endpoint,
  notConfirmed,
  shownErrors,
  type ErrorItem,
  type ParamsOf,
  type QueryInputOf,
  requestAborted,
  savedBefore,
  type ServiceResponse,
  takesIdempotencyKey,
  unansweredChange,
} from '@portal/contract';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { confirmationHeader } from '@portal/contract/shell/confirmation';
import { type ChangeOutcome, changeOutcomes } from '@portal/contract/shell/change-outcomes';
import { newTraceId, newTraceparent, traceIdOf } from '@portal/contract/trace';
import { type Challenge, challengeOf } from './challenge.ts';
import { fileNameOf, type SavedFile } from './saved-file.ts';

/** Everything a call is about, endpoint-independent. */
export type AnyEndpoint = Pick<
  Endpoint,
  'id' | 'method' | 'path' | 'access' | 'answer' | 'effect' | 'alone' | 'unrecorded' | 'secondPerson' | 'secondPersonWhen'
>;

type Empty = Record<never, never>;
type Given<Key extends string, T> = [T] extends [undefined] ? Empty : Empty extends T ? { [K in Key]?: T } : { [K in Key]: T };
/** Input of a call: the parameters of the path, and `query` and `body` if the endpoint has them. */
export type CallInput<E> = ParamsOf<E> & Given<'query', QueryInputOf<E>> & Given<'body', BodyInputOf<E>>;
/** Answer of a call; a file as it is saved for a download. */
export type CallAnswer<E> = E extends { answer?: infer A } ? ('download' extends A ? SavedFile : AnswerOf<E>) : AnswerOf<E>;

/** A call that was refused, for reports: which one, and how it was answered. */
export type RefusedCall = { endpoint: string; method: string; path: string; status: number };

/** A call that was refused until a second factor is given. What is kept of its endpoint survives as JSON. */
export type StoppedCall = {
  endpoint: Omit<AnyEndpoint, 'answer'>;
  input: unknown;
  act: Act | null;
  /** The address of the page when the call was made; undefined where the page has none. */
  from?: string | undefined;
  /** The confirmation that was sent with it and refused; undefined if none was. */
  sentWith?: string | undefined;
};

/** A change in words of the person who makes it: "Approve REQ-1", and its effect where the button does not say it. */
export type Act = { name: string; effect?: string | undefined };

/** A change whose answer did not come. */
export type UnansweredChange = { endpoint: string; key: string };

export type ClientOptions = {
  /** Origin and prefix before the endpoint's path; empty for the page's own origin. */
  baseUrl: string;
  /** Returns the identity token, at every call; null without a sign-in. */
  token: () => string | null;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns what a read was answered that had been asked for earlier, with this value of `authorization`; undefined when it has to be asked for. */
  answered?: (url: string, authorization: string) => Answered | undefined;
  /** Called once per error, after renewal and repetition. Aborted calls are no errors. */
  report?: (errors: readonly ErrorItem[], call: RefusedCall) => void;
  /** One silent renewal; true when there is a new token. Calls refused at the same time share one. */
  renew?: () => Promise<boolean>;
  /**
   * Waits before a call is repeated that the server could not answer, or whose answer was lost. A change carries a key, so that its repetition learns
   * whether it was done. Without this nothing is repeated.
   */
  pause?: (ms: number) => Promise<void>;
  /**
   * Called when it is unknown whether a change was saved: the registry is asked about it until it answers, for ten minutes at most.
   * `change` can be stored, to ask with `settleChange` after the page was loaded again.
   */
  unsure?: (change: UnansweredChange) => void;
  /** Called after `unsure`, once the outcome is known; null when asking was given up. */
  settled?: (change: UnansweredChange, outcome: ChangeOutcome['outcome'] | null) => void;
  /** The session is over. */
  signOut?: () => void;
  /**
   * The call needs a (fresh) second factor. Resolves with true once the person confirmed it, and then it is sent again; with false if they gave up. For a
   * read it leads away to the provider. `call` is what was interrupted.
   */
  stepUp?: (challenge: Challenge, call: StoppedCall) => Promise<boolean>;
  /** Returns the confirmation to send with a call; undefined without one. */
  confirmationOf?: (endpoint: AnyEndpoint, input: unknown) => string | undefined;
  /** Returns the address of the page now, which a question about a change belongs to. */
  place?: () => string;
};

/** An answer that has come already, and when it was asked for, in ms since 1970. */
export type Answered = { data: unknown; at: number };

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** The key of a change that has to stay the same over several calls: one key per filled-in form, not per click. Otherwise each call has its own. */
  idempotencyKey?: string | undefined;
  /** In place of the client's own, for a body whose progress is watched. */
  fetch?: ClientOptions['fetch'] | undefined;
  /** The change in words; named if it is interrupted. */
  act?: Act | undefined;
};

export type Client = {
  <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions): Promise<ServiceResponse<CallAnswer<E>>>;
  /** Returns the answer of a read if it has come already, and gives it away once. */
  answered?: (endpoint: AnyEndpoint, input: unknown) => Answered | undefined;
};

type Attempt = {
  status: number;
  data?: unknown;
  errors?: ErrorItem[];
  current?: unknown;
  challenge?: Challenge | null;
  aborted?: true;
  /** No answer came, or it broke off. */
  lost?: true;
  /** The person did not confirm it. */
  givenUp?: true;
};

/** Pause, in ms, before each repetition. */
const pausesMs = [500, 2000, 5000];
/** How long, in ms, a change waits for its answer before it is asked about. */
const ANSWER_MS = MINUTE_MS;
/** Pause, in ms, between questions about an unanswered change, and how long they go on. */
const SETTLE_RETRY_MS = 5 * SECOND_MS;
const SETTLE_LIMIT_MS = 10 * MINUTE_MS;
/** How often the registry is asked about a change that its person gave up. */
const GIVEN_UP_ASKED = 6;

type Said = { status: number; code: string; message: string };
const refusedWith = ({ status, code, message }: Said, traceId: string): Attempt => ({ status, errors: [{ code, message, traceId }] });

/**
 * The one way to the API (specification, sections 7 and 8). Every call resolves to a service response, never rejects: JSON content type,
 * identity token as bearer, trace-parent on paths that start with `/api/`. Aborted: 299 REQUEST_ABORTED. Network or unreadable
 * answer: 500 UNEXPECTED_ERROR. 401: one renewal and one repetition, then sign-out; a second factor asked for: step-up.
 */
export function createClient(options: ClientOptions): Client {
  let renewal: Promise<boolean> | null = null;
  const renewOnce = (): Promise<boolean> => {
    renewal ??= (options.renew?.() ?? Promise.resolve(false)).catch(() => false).finally(() => (renewal = null));
    return renewal;
  };

  const { unsureKeys, settle, givenUp } = openSettling(options, renewOnce);

  const client = async (endpoint: AnyEndpoint, input: Record<string, unknown>, how: CallOptions = {}) => {
    const path = addressOf(endpoint.path, input);
    const body = input['body'];
    const key = how.idempotencyKey ?? (takesIdempotencyKey(endpoint) && options.token() !== null ? newTraceId() : undefined);
    const timeLimit = key === undefined || body instanceof Blob ? undefined : ANSWER_MS;
    const from = options.place?.();
    let isUnsure = false;
    let sentWith: string | undefined;
    const send = async (): Promise<Attempt> => {
      sentWith = options.confirmationOf?.(endpoint, input);
      const attempt = await sendOnce(options, endpoint, path, body, { ...how, idempotencyKey: key, timeLimit, confirmation: sentWith });
      isUnsure ||= isUnanswered(attempt) && !isPaused(attempt);
      if (key !== undefined && isUnsure) unsureKeys.add(key);
      // What is answered or refused is known, unless the refusal came before the registry looked.
      if (key !== undefined && !isUnanswered(attempt) && attempt.status !== 401 && !attempt.aborted) unsureKeys.delete(key);
      return attempt;
    };
    let attempt = await send();
    // Repeating is safe for a read, and for a change with a key.
    const isRepeatable = options.pause !== undefined && (endpoint.method === 'GET' || key !== undefined);
    for (const ms of isRepeatable ? pausesMs : []) {
      // Seconds do not free a disk: the failure is shown immediately.
      if (how.signal?.aborted || !isUnanswered(attempt) || isPaused(attempt)) break;
      await options.pause!(ms);
      attempt = await send();
    }
    if (isRepeatable && key !== undefined && isUnsure && isUnanswered(attempt) && !how.signal?.aborted)
      attempt = await settle(endpoint, send, key, attempt.errors?.[0]?.traceId ?? '');
    if (attempt.status === 401) {
      if (attempt.challenge && options.stepUp) {
        const name = attempt.challenge.act;
        const stopped: StoppedCall = { endpoint: factsOf(endpoint), input, act: how.act ?? (name === null ? null : { name }) };
        if (from !== undefined) stopped.from = from;
        if (sentWith !== undefined) stopped.sentWith = sentWith;
        const isConfirmed = await options.stepUp(attempt.challenge, stopped);
        if (isConfirmed && !how.signal?.aborted) attempt = await send();
        else if (endpoint.method !== 'GET') attempt = await givenUp(attempt, endpoint, key);
      } else if (await renewOnce()) {
        attempt = await send();
        if (attempt.status === 401) options.signOut?.();
      } else options.signOut?.();
    }
    if (!attempt.errors) return { status: attempt.status, data: attempt.data };
    if (!attempt.aborted && !attempt.givenUp)
      options.report?.(attempt.errors, { endpoint: endpoint.id, method: endpoint.method, path, status: attempt.status });
    return { status: attempt.status, errors: attempt.errors, ...(attempt.current !== undefined && { current: attempt.current }) };
  };
  const answered = (endpoint: AnyEndpoint, input: unknown): Answered | undefined => {
    const token = options.token();
    if (!options.answered || token === null || endpoint.method !== 'GET') return undefined;
    try {
      return options.answered(options.baseUrl + addressOf(endpoint.path, input as Record<string, unknown>), bearer(token));
    } catch {
      return undefined; // It waits for one of its parameters, and has no address yet.
    }
  };
  return Object.assign(client, { answered }) as Client;
}

/** Finds out what became of changes whose answer was lost. */
function openSettling(options: ClientOptions, renewOnce: () => Promise<boolean>) {
  /** Keys of changes that may have been saved: their answer did not come. */
  const unsureKeys = new Set<string>();

  /** Asks the registry once whether a change was saved; null if it can't answer at the moment, or does not know. One that was not saved is not made any more. */
  const askOutcome = async (change: UnansweredChange): Promise<ChangeOutcome['outcome'] | 'refused' | null> => {
    const { settleChange } = changeOutcomes;
    const response = await sendOnce(options, settleChange, settleChange.path, change, { timeLimit: ANSWER_MS });
    if (isUnanswered(response) || (response.status === 401 && (await renewOnce()))) return null;
    return response.errors ? 'refused' : (response.data as ChangeOutcome).outcome;
  };

  /** Returns what is known of a change that its person did not confirm: an earlier attempt may have been saved, whose answer was lost. */
  const givenUp = async ({ errors }: Attempt, endpoint: AnyEndpoint, key = ''): Promise<Attempt> => {
    let said: Said = notConfirmed;
    if (unsureKeys.has(key)) {
      said = unansweredChange.unknown;
      for (let left = GIVEN_UP_ASKED; left > 0; left -= 1) {
        const outcome = await askOutcome({ endpoint: endpoint.id, key });
        if (outcome === 'saved') said = savedBefore;
        if (outcome === 'not-saved') said = notConfirmed;
        if (outcome) break;
        await options.pause?.(SETTLE_RETRY_MS);
      }
    }
    return { ...refusedWith(said, errors?.[0]?.traceId ?? ''), givenUp: true };
  };

  /** Finds out the result of a change that stayed unanswered: returns its answer, or the refusal that says that it was not saved or is unknown. */
  const settle = async (endpoint: AnyEndpoint, send: () => Promise<Attempt>, key: string, traceId: string): Promise<Attempt> => {
    const change = { endpoint: endpoint.id, key };
    options.unsure?.(change);
    for (let waited = 0; waited < SETTLE_LIMIT_MS; waited += SETTLE_RETRY_MS) {
      await options.pause!(SETTLE_RETRY_MS);
      const outcome = await askOutcome(change);
      if (outcome === null) continue;
      if (outcome === 'refused') break;
      // Repeated with its key, a saved change answers what it answered first.
      const attempt = outcome === 'saved' ? await send() : refusedWith(unansweredChange.notSaved, traceId);
      if (outcome === 'saved' && isUnanswered(attempt)) continue;
      options.settled?.(change, outcome);
      return attempt;
    }
    options.settled?.(change, null);
    return refusedWith(unansweredChange.unknown, traceId);
  };
  return { unsureKeys, settle, givenUp };
}

const factsOf = ({
  id,
  method,
  path,
  access,
  effect,
  unrecorded,
  secondPerson,
  secondPersonWhen,
}: AnyEndpoint): StoppedCall['endpoint'] => ({
  id,
  method,
  path,
  access,
  effect,
  unrecorded,
  secondPerson,
  secondPersonWhen,
});

const bearer = (token: string): string => `Bearer ${token}`;

/** Whether no answer came, or one saying that the server can't work on the call at the moment. */
const isUnanswered = ({ lost, status }: Attempt): boolean => lost === true || status === 503;
/** Whether the server said that nothing can be changed at the moment: this change was not made. */
const isPaused = ({ errors }: Attempt): boolean => errors?.[0]?.code === 'CHANGES_PAUSED';

type SendOptions = CallOptions & { timeLimit?: number | undefined; confirmation?: string | undefined };

async function sendOnce(options: ClientOptions, endpoint: AnyEndpoint, path: string, body: unknown, how: SendOptions): Promise<Attempt> {
  const { signal: given, idempotencyKey, timeLimit, confirmation, fetch = options.fetch } = how;
  const limit = timeLimit === undefined ? undefined : AbortSignal.timeout(timeLimit);
  const signal = given && limit ? AbortSignal.any([given, limit]) : (given ?? limit);
  const isFile = body instanceof Blob;
  const traceparent = newTraceparent();
  const traceId = traceIdOf(traceparent) ?? '';
  const token = options.token();
  try {
    const response = await fetch(options.baseUrl + path, {
      method: endpoint.method,
      headers: {
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        ...(token && { authorization: bearer(token) }),
        ...(path.startsWith('/api/') && { traceparent }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(confirmation && { [confirmationHeader]: confirmation }),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) {
      const challenge = response.status === 401 ? challengeOf(response.headers.get('www-authenticate')) : null;
      const body = await response.text();
      return { status: response.status, errors: errorsOf(body, traceId), current: currentOf(body), challenge };
    }
    if (endpoint.answer === 'download') {
      const file: SavedFile = { fileName: fileNameOf(response.headers.get('content-disposition'), path), blob: await response.blob() };
      return { status: response.status, data: file };
    }
    const text = await response.text();
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text) };
  } catch {
    if (given?.aborted)
      return {
        status: requestAborted.status,
        errors: [{ code: requestAborted.code, message: requestAborted.message, traceId }],
        aborted: true,
      };
    return { status: 500, errors: [{ code: 'UNEXPECTED_ERROR', message: shownErrors.UNEXPECTED_ERROR.message, traceId }], lost: true };
  }
}

/** The errors of a refused answer: those of its `errors` array, otherwise one UNEXPECTED_ERROR with the body as its message (specification, section 8). */
export function errorsOf(body: string, traceId: string): ErrorItem[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = null;
  }
  const list = parsed && typeof parsed === 'object' && 'errors' in parsed ? parsed.errors : null;
  if (Array.isArray(list) && list.length > 0) {
    return list.map((item: Partial<ErrorItem> | null) => ({
      code: text(item?.code) ?? 'UNEXPECTED_ERROR',
      message: text(item?.message) ?? shownErrors.UNEXPECTED_ERROR.message,
      traceId: text(item?.traceId) ?? traceId,
      ...(text(item?.field) !== undefined && { field: item!.field! }),
    }));
  }
  return [{ code: 'UNEXPECTED_ERROR', message: body.trim() === '' ? shownErrors.UNEXPECTED_ERROR.message : body, traceId }];
}

/** Returns the present value after a concurrent change. */
function currentOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { current?: unknown } | null)?.current;
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Returns path and query of a call.
 * @throws TypeError for a parameter that the path names and the caller does not give
 */
export function addressOf(path: string, input: Readonly<Record<string, unknown>>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = input[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`The call of ${path} needs the path parameter "${name}"`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries((input['query'] as Record<string, unknown> | undefined) ?? {})) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item));
  }
  const search = query.toString();
  return search ? `${filled}?${search}` : filled;
}
