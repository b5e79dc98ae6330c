import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '@portal/contract/days';
import { AwsClient } from 'aws4fetch';
import { circuitBreaker, isSilence, Paused } from '../platform/circuit-breaker.ts';

/** A bucket of a service that speaks S3, and the key of a user who may list, read, write and delete in it. */
export type Bucket = { url: string; bucket: string; region: string; keyId: string; secret: string };

/** The service was not reached, said nothing, or is out of order. */
export class StoreAway extends Error {}

/** The service answered, and refuses. */
export class StoreRefused extends Error {
  /** 404 NoSuchBucket: status and code of the service. */
  readonly status: number;
  readonly code: string;
  constructor(message: string, status: number, code: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type StoredObject = { key: string; changedAt: number };

/** A service that is silent this long, in ms, before an answer or within one, is away. */
const PATIENCE_MS = 10 * SECOND_MS;
/** How long, in ms, a service that did not answer is not asked. */
const PAUSE_MS = 5 * SECOND_MS;
/** Requests that a broken connection or an overloaded service costs: all of ours may be repeated. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** Bytes of an answer that is no file which are read: a page of a list has a thousand objects. */
const MAX_ANSWER_BYTES = 10_000_000;
/** How many times the patience with a silent service an answer that is no file may take in all: a copy is answered while it is made. */
const WHOLE_ANSWER = 6;

const sha256Of = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');
const emptyHash = sha256Of('');
/** Answers for which the same request is sent again: late, in the way of another one, too much, or out of order. */
const isPassing = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500;
/** Of an upload that did not arrive in time, which is answered with 400. */
const LATE = 'RequestTimeout';

type Asked = { method?: string; key?: string; query?: Record<string, string>; headers?: Record<string, string>; body?: Blob };
/** An answer that has begun; `cut` ends it. */
type Begun = { answer: Response; cut: AbortController };
type Patience = { patienceMs?: number; pauseMs?: number };

/** Signs and sends requests. @returns `ask`, which waits for the beginning of an answer, and `refusalOf` one that is none @throws StoreAway */
function requestsTo(to: Bucket, { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS }: Patience) {
  const client = new AwsClient({
    accessKeyId: to.keyId,
    secretAccessKey: to.secret,
    service: 's3',
    region: to.region,
    retries: 0,
  });
  const root = `${to.url}/${encodeURIComponent(to.bucket)}`;
  const whileItAnswers = circuitBreaker('The store of files', error => isSilence(error), undefined, pauseMs);

  const once = async ({ method = 'GET', key, query, headers = {}, body }: Asked): Promise<Begun> => {
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(new DOMException('no answer in time', 'TimeoutError')), patienceMs + (body?.size ?? 0) / 100);
    try {
      const address = `${root}${key === undefined ? '' : `/${key}`}${query ? `?${new URLSearchParams(query).toString()}` : ''}`;
      const signed = await client.sign(address, { method, headers: { 'x-amz-content-sha256': emptyHash, ...headers } });
      // The body is not signed but its hash, so that it is read once, from its file.
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'manual',
        signal: cut.signal,
        ...(body && { body }),
      });
      return { answer, cut };
    } finally {
      clearTimeout(timer);
    }
  };
  const ask = async (asked: Asked): Promise<Begun> => {
    try {
      return await whileItAnswers(async () => {
        for (let attempt = 1; ; attempt++) {
          const last = attempt === ATTEMPTS;
          try {
            const got = await once(asked);
            if (last || !isPassing(got.answer.status)) return got;
            got.cut.abort();
          } catch (error) {
            if (last || (error as Error).name === 'TimeoutError' || !isSilence(error as Error)) throw error;
          }
          await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
        }
      });
    } catch (error) {
      if (error instanceof Paused || isSilence(error as Error) || isBrokenOff(error))
        throw new StoreAway(`The store of files at ${to.url} does not answer.`, { cause: error });
      throw error;
    }
  };
  const refusalOf = async ({ answer, cut }: Begun): Promise<Error> => {
    // What arrived of it is enough.
    const text = await textOfAnswer({ answer, cut }, patienceMs, () => {});
    const code = codeIn(text) ?? String(answer.status);
    if (isPassing(answer.status) || code === LATE)
      return new StoreAway(`The store of files at ${to.url} is out of order: ${answer.status} ${code}.`);
    return new StoreRefused(
      `The store of files at ${to.url}, bucket ${to.bucket}, refused: ${answer.status} ${code}.`,
      answer.status,
      code,
    );
  };
  /** Reads an answer that is no file. @throws StoreAway if it does not end in time */
  const textOf200 = (got: Begun): Promise<string> =>
    textOfAnswer(got, patienceMs, error => {
      throw new StoreAway(`The store of files at ${to.url} stopped in the middle of an answer.`, { cause: error });
    });
  return { root, ask, refusalOf, textOf200 };
}

const codeIn = (text: string): string | undefined => /<Code>([\w.-]{1,100})<\/Code>/.exec(text)?.[1];

/**
 * Objects of a bucket by the protocol of S3, addressed by path, which every such service understands. Each function
 * @throws StoreAway if the service does not answer; StoreRefused if it refuses
 */
export function s3Bucket(to: Bucket, patience: Patience = {}) {
  const { root, ask, refusalOf, textOf200 } = requestsTo(to, patience);
  const patienceMs = patience.patienceMs ?? PATIENCE_MS;
  /** Asks, and ends the answer. @throws StoreAway, StoreRefused */
  const done = async (asked: Asked): Promise<Response> => {
    const got = await ask(asked);
    if (!got.answer.ok) throw await refusalOf(got);
    await got.answer.body?.cancel().catch(() => {});
    return got.answer;
  };
  const orAbsent = async <T>(asking: Promise<T>): Promise<T | null> => {
    try {
      return await asking;
    } catch (error) {
      // The service also says so of a bucket that is gone, which must not look like a file that never was.
      if (error instanceof StoreRefused && error.status === 404 && error.code !== 'NoSuchBucket') return null;
      throw error;
    }
  };
  /** A service may answer 200 before it knows that it fails. */
  const notDone = (what: string, text: string): StoreAway =>
    new StoreAway(`The store of files at ${to.url} answered 200 to ${what}, and then ${codeIn(text) ?? 'nothing that is one'}.`);
  const copied = async (from: string, target: string): Promise<void> => {
    const got = await ask({ method: 'PUT', key: target, headers: { 'x-amz-copy-source': `/${to.bucket}/${from}` } });
    if (!got.answer.ok) throw await refusalOf(got);
    const text = await textOf200(got);
    if (!text.includes('<CopyObjectResult')) throw notDone('a copy', text);
  };
  const listPage = async (prefix: string, after: string): Promise<{ objects: StoredObject[]; next: string | null }> => {
    const query = { 'list-type': '2', prefix, ...(after && { 'start-after': after }) };
    const got = await ask({ query });
    if (!got.answer.ok) throw await refusalOf(got);
    const text = await textOf200(got);
    if (!text.includes('<ListBucketResult')) throw notDone('a list', text);
    const objects = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content]) => ({
      key: textOf(content!, 'Key'),
      changedAt: Date.parse(textOf(content!, 'LastModified')),
    }));
    // An object of no known age would look like one that was just stored, or like one of long ago.
    for (const { key, changedAt } of objects)
      if (key === '' || !Number.isFinite(changedAt))
        throw new Error(`The store of files at ${to.url} lists "${key}" without saying when it was stored.`);
    const isCut = textOf(text, 'IsTruncated') === 'true';
    return { objects, next: isCut ? (objects.at(-1)?.key ?? null) : null };
  };
  return {
    address: root,

    /** Stores content whose SHA-256 is known: a service that checks it refuses what arrives damaged. */
    put: async (key: string, body: Blob, sha256: string): Promise<void> => {
      await done({ method: 'PUT', key, body, headers: { 'x-amz-content-sha256': sha256, 'content-type': 'application/octet-stream' } });
    },

    /** Returns content as a stream, which is read as fast as the reader takes it; null if there is none. */
    get: async (key: string): Promise<AsyncGenerator<Uint8Array, void, void> | null> => {
      const got = await ask({ key });
      if (got.answer.ok) return readingOf(got, patienceMs, to.url);
      return orAbsent(refusalOf(got).then(error => Promise.reject(error)));
    },

    has: async (key: string): Promise<boolean> => (await orAbsent(done({ method: 'HEAD', key }))) !== null,

    /** Copies an object within the bucket; false if it is gone. */
    copy: async (from: string, target: string): Promise<boolean> => (await orAbsent(copied(from, target).then(() => true))) ?? false,

    remove: async (key: string): Promise<void> => void (await orAbsent(done({ method: 'DELETE', key }))),

    /** All objects whose key begins so, in order, a request for a thousand. */
    list: async function* (prefix: string): AsyncGenerator<StoredObject, void, void> {
      for (let after: string | null = ''; after !== null; ) {
        const { objects, next }: { objects: StoredObject[]; next: string | null } = await listPage(prefix, after);
        yield* objects;
        after = next;
      }
    },
  };
}

/** Connections that fetch reports without a code it knows. */
const isBrokenOff = (error: unknown): boolean => error instanceof TypeError && /fetch failed|terminated/.test(error.message);

/** Reads an answer; a service that stops in the middle is away. One that nobody begins to read is left, so that no connection stays open. */
function readingOf({ answer, cut }: Begun, patienceMs: number, address: string): AsyncGenerator<Uint8Array, void, void> {
  const unread = setTimeout(() => cut.abort(), patienceMs).unref();
  return (async function* () {
    clearTimeout(unread);
    const reader = answer.body?.getReader();
    try {
      for (;;) {
        // Only what the service takes counts, not what the reader of this stream takes.
        const timer = setTimeout(() => cut.abort(new DOMException('no more in time', 'TimeoutError')), patienceMs);
        const part = await reader?.read().finally(() => clearTimeout(timer));
        if (!part || part.done) return;
        yield part.value;
      }
    } catch (error) {
      throw new StoreAway(`The store of files at ${address} stopped in the middle of a file.`, { cause: error });
    } finally {
      cut.abort();
    }
  })();
}

/** Reads an answer that is no file, for a bounded time. @param broken is told why it was not read to its end; without an error of its own what arrived counts */
async function textOfAnswer({ answer, cut }: Begun, patienceMs: number, broken: (error: unknown) => void): Promise<string> {
  const whole = setTimeout(() => cut.abort(new DOMException('no end in time', 'TimeoutError')), WHOLE_ANSWER * patienceMs);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of readingOf({ answer, cut }, patienceMs, '')) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too long.');
    }
  } catch (error) {
    broken(error);
  } finally {
    clearTimeout(whole);
    cut.abort();
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Content of an element of S3's answers, which have none within. */
function textOf(xml: string, element: string): string {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? '';
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');
}
