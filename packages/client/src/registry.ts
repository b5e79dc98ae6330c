import { type Calls, calls } from './calls.ts';
import { problemOf, RegistryUnreachable } from './problem.ts';

export type CallId = keyof Calls;
type Empty = Record<never, never>;
/** A part of the input: left out where there is none, optional where all of it is. */
type Given<Key extends string, Part> = [Part] extends [undefined]
  ? { [K in Key]?: undefined }
  : Empty extends Part
    ? { [K in Key]?: Part }
    : { [K in Key]: Part };
/** Input of a call: parameters of its path, its query, its body. */
export type CallInput<Id extends CallId> = Given<'params', Calls[Id]['params']> &
  Given<'query', Calls[Id]['query']> &
  Given<'body', Calls[Id]['body']>;
export type CallAnswer<Id extends CallId> = Calls[Id]['answer'];

/** Calls that answer a list a page at a time, and its entries. */
type RowsOf<Answer> = Answer extends { rows: (infer Row)[] } ? Row : Answer extends { lines: (infer Line)[] } ? Line : never;
export type ListId = { [Id in CallId]: [RowsOf<CallAnswer<Id>>] extends [never] ? never : Id }[CallId];
export type Entry<Id extends CallId> = RowsOf<CallAnswer<Id>>;

export type CallOptions = {
  /** Checks and answers everything, and stores nothing. */
  dryRun?: boolean;
  /** One per thing that is to be done once, however often it is sent; a write has one of its own unless given. */
  idempotencyKey?: string;
  /** The `etag` of what the change was made on: 412 where it was changed since. */
  ifMatch?: string;
  /** Fields to answer, `['total', 'rows.prefix']`; the answer has these alone. */
  fields?: readonly string[];
  signal?: AbortSignal;
};

/** An answer with what its headers say. */
export type Answered<Id extends CallId> = {
  data: CallAnswer<Id>;
  /** For `ifMatch`. */
  etag: string | null;
  /** The task that carries the change out; null where it is done. */
  task: string | null;
  headers: Headers;
};

export type RegistryOptions = {
  /** Where the portal is: `https://portal.example.net`. */
  url: string;
  account: string;
  /** An API key of the account: `mr_live_…`. */
  key: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a call is repeated that the registry could not answer (429, 503) or whose answer was lost. */
  retries?: number;
  /** Waits before a repetition; for tests. */
  pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

export type Registry = {
  /** Makes a call and returns what it answers. @throws RegistryProblem, RegistryUnreachable */
  call: <Id extends CallId>(id: Id, ...input: InputArguments<Id>) => Promise<CallAnswer<Id>>;
  /** Like `call`, with the entity tag, the task and the headers of the answer. */
  request: <Id extends CallId>(id: Id, ...input: InputArguments<Id>) => Promise<Answered<Id>>;
  /** The entries of a list, one after the other: the next page is read when it is needed. */
  each: <Id extends ListId>(id: Id, ...input: InputArguments<Id>) => AsyncGenerator<Entry<Id>, void, undefined>;
};
type InputArguments<Id extends CallId> =
  Empty extends CallInput<Id> ? [input?: CallInput<Id>, options?: CallOptions] : [input: CallInput<Id>, options?: CallOptions];

type PlainInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** Seconds to wait at most before a repetition, whatever the registry asks for. */
const LONGEST_PAUSE = 60;

const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

/** Opens the registry for one account. Nothing is sent before the first call. */
export function openRegistry({ url, account, key, fetch: send = fetch, retries = 4, pause = wait }: RegistryOptions): Registry {
  const base = `${url.replace(/\/+$/, '')}/registry-api/v1/${encodeURIComponent(account)}`;

  /** Sends a call until it is answered. A write carries its key each time, so that it is done once. */
  async function answerOf(id: CallId, address: string, init: RequestInit): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      let seconds = 2 ** attempt / 2;
      try {
        const answer = await send(address, init);
        if (answer.ok || answer.status === 304) return answer;
        if (isLast || (answer.status !== 429 && answer.status !== 503)) throw await problemOf(id, answer);
        seconds = Number(answer.headers.get('retry-after') ?? seconds) || seconds;
        await answer.body?.cancel();
      } catch (error) {
        init.signal?.throwIfAborted();
        if (!(error instanceof TypeError)) throw error;
        if (isLast) throw new RegistryUnreachable(`${new URL(base).origin} can’t be reached: ${causeOf(error)}`, { cause: error });
      }
      await pause(Math.min(seconds, LONGEST_PAUSE) * 1000, init.signal ?? undefined);
    }
  }

  function requestOf(
    id: CallId,
    { params = {}, query = {}, body }: PlainInput,
    options: CallOptions,
  ): { address: string; init: RequestInit } {
    const { method, path } = calls[id];
    const place = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) parameters.set(name, String(value as string | number | boolean));
    if (options.fields) parameters.set('fields', options.fields.join(','));
    if (options.dryRun) parameters.set('dry-run', 'true');
    const isFile = body instanceof Blob;
    return {
      address: `${base}${place}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`,
      init: {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(method !== 'GET' && !options.dryRun && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
          ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
          ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
        },
        ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
        ...(options.signal && { signal: options.signal }),
      },
    };
  }

  async function request<Id extends CallId>(id: Id, input: PlainInput = {}, options: CallOptions = {}): Promise<Answered<Id>> {
    const { address, init } = requestOf(id, input, options);
    return read(id, await answerOf(id, address, init));
  }

  async function* each<Id extends ListId>(
    id: Id,
    input: PlainInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<Entry<Id>, void, undefined> {
    const { address, init } = requestOf(id, input, options);
    let next: string | null = address;
    while (next !== null) {
      const page: Answered<Id> = await read(id, await answerOf(id, next, init));
      const { rows, lines } = page.data as { rows?: Entry<Id>[]; lines?: Entry<Id>[] };
      yield* rows ?? lines ?? [];
      next = nextOf(page.headers, base);
    }
  }

  return { request, each, call: async (id, ...[input, options]) => (await request(id, input as PlainInput, options)).data };
}

async function read<Id extends CallId>(id: Id, answer: Response): Promise<Answered<Id>> {
  const { headers, status } = answer;
  const isEmpty = status === 204 || status === 304;
  const data = (calls[id].file ? answer : isEmpty ? undefined : await answer.json()) as CallAnswer<Id>;
  return { data, headers, etag: headers.get('etag'), task: status === 202 ? (headers.get('location')?.split('/').at(-1) ?? null) : null };
}

/** The address of the next page (RFC 8288); null on the last. */
function nextOf(headers: Headers, base: string): string | null {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link === undefined ? null : new URL(link, `${base}/`).href;
}

const causeOf = ({ cause, message }: Error): string => (cause instanceof Error && cause.message !== '' ? cause.message : message);
