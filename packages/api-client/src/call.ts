import {
  type AnswerOf,
  type BodyInputOf,
  type Endpoint,
  requestErrors,
  type ErrorItem,
  type Method,
  type ParamsOf,
  type QueryInputOf,
  requestAborted,
  type ServiceResponse,
} from '@portal/contract';
import { newTraceparent, traceIdOf } from '@portal/contract/trace';
import { type Challenge, challengeOf } from './challenge.ts';
import { fileNameOf, type SavedFile } from './saved-file.ts';

/** Everything a call is about, endpoint-independent. */
export type AnyEndpoint = Pick<
  Endpoint,
  'id' | 'method' | 'path' | 'access' | 'answer' | 'idempotent' | 'secondPerson' | 'secondPersonWhen'
>;

type Empty = Record<never, never>;
type Given<Key extends string, T> = [T] extends [undefined] ? Empty : Empty extends T ? { [K in Key]?: T } : { [K in Key]: T };
/** Input of a call: the parameters of the path, and `query` and `body` if the endpoint has them. */
export type CallInput<E> = ParamsOf<E> & Given<'query', QueryInputOf<E>> & Given<'body', BodyInputOf<E>>;
/** Answer of a call; a file as it is saved for a download. */
export type CallAnswer<E> = E extends { answer?: infer A } ? ('download' extends A ? SavedFile : AnswerOf<E>) : AnswerOf<E>;

/** A call that was refused, for reports: which one, and how it was answered. */
export type RefusedCall = { endpoint: string; method: string; path: string; status: number };

export type ClientOptions = {
  /** Origin and prefix before the endpoint's path; empty for the page's own origin. */
  baseUrl: string;
  /** Returns the identity token, at every call; null without a sign-in. */
  token: () => string | null;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Called once per error, after renewal and repetition. Aborted calls are no errors. */
  report?: (errors: readonly ErrorItem[], call: RefusedCall) => void;
  /** One silent renewal; true when there is a new token. Calls refused at the same time share one. */
  renew?: () => Promise<boolean>;
  /**
   * Waits before a call is repeated that the server could not answer, or whose answer was lost: a read, or a change with an idempotency key, of
   * which the repetition learns whether it was done. Without it nothing is repeated.
   */
  pause?: (ms: number) => Promise<void>;
  /** The session is over. */
  signOut?: () => void;
  /**
   * The call needs a (fresh) second factor. Leads away to the provider; resolves only if that could not be started, and the
   * refusal is answered then. `call` is what was interrupted.
   */
  stepUp?: (challenge: Challenge, call: { endpoint: string; method: Method; input: unknown }) => Promise<void>;
};

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** For a call that creates: repeated with the same key it is executed once. One key per filled-in form, not per click. */
  idempotencyKey?: string | undefined;
  /** In place of the client's own, for a body whose progress is watched. */
  fetch?: ClientOptions['fetch'] | undefined;
};

export type Client = <E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options?: CallOptions,
) => Promise<ServiceResponse<CallAnswer<E>>>;

type Attempt = {
  status: number;
  data?: unknown;
  errors?: ErrorItem[];
  current?: unknown;
  challenge?: Challenge | null;
  aborted?: true;
  /** No answer came, or it broke off. */
  lost?: true;
};

/** Pause, in ms, before each repetition. */
const pausesMs = [500, 2000, 5000];

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

  const client = async (endpoint: AnyEndpoint, input: Record<string, unknown>, how: CallOptions = {}) => {
    const path = addressOf(endpoint.path, input);
    let attempt = await send(options, endpoint, path, input['body'], how);
    // Repeating is safe for a read, and for a change with a key.
    const isRepeatable = options.pause !== undefined && (endpoint.method === 'GET' || how.idempotencyKey !== undefined);
    for (const ms of isRepeatable ? pausesMs : []) {
      if (how.signal?.aborted || !(attempt.lost || attempt.status === 503)) break;
      await options.pause!(ms);
      attempt = await send(options, endpoint, path, input['body'], how);
    }
    if (attempt.status === 401) {
      if (attempt.challenge && options.stepUp) {
        await options.stepUp(attempt.challenge, { endpoint: endpoint.id, method: endpoint.method, input });
      } else if (await renewOnce()) {
        attempt = await send(options, endpoint, path, input['body'], how);
        if (attempt.status === 401) options.signOut?.();
      } else options.signOut?.();
    }
    if (!attempt.errors) return { status: attempt.status, data: attempt.data };
    if (!attempt.aborted)
      options.report?.(attempt.errors, { endpoint: endpoint.id, method: endpoint.method, path, status: attempt.status });
    return { status: attempt.status, errors: attempt.errors, ...(attempt.current !== undefined && { current: attempt.current }) };
  };
  return client as Client;
}

async function send(options: ClientOptions, endpoint: AnyEndpoint, path: string, body: unknown, how: CallOptions): Promise<Attempt> {
  const { signal, idempotencyKey, fetch = options.fetch } = how;
  const isFile = body instanceof Blob;
  const traceparent = newTraceparent();
  const traceId = traceIdOf(traceparent) ?? '';
  const token = options.token();
  try {
    const response = await fetch(options.baseUrl + path, {
      method: endpoint.method,
      headers: {
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(path.startsWith('/api/') && { traceparent }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
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
    if (signal?.aborted)
      return {
        status: requestAborted.status,
        errors: [{ code: requestAborted.code, message: requestAborted.message, traceId }],
        aborted: true,
      };
    return { status: 500, errors: [{ code: 'UNEXPECTED_ERROR', message: requestErrors.UNEXPECTED_ERROR.message, traceId }], lost: true };
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
      message: text(item?.message) ?? requestErrors.UNEXPECTED_ERROR.message,
      traceId: text(item?.traceId) ?? traceId,
      ...(text(item?.field) !== undefined && { field: item!.field! }),
    }));
  }
  return [{ code: 'UNEXPECTED_ERROR', message: body.trim() === '' ? requestErrors.UNEXPECTED_ERROR.message : body, traceId }];
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

/** Path and query of a call; a parameter the path names but the caller does not give is a defect of the caller. */
function addressOf(path: string, input: Record<string, unknown>): string {
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
