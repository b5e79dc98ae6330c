import { MINUTE_MS } from '@portal/contract/days';
import { readsTogetherAddress, type ReadsTogether, type ReadTogether } from '@portal/contract/shell/reads-together';
import { newTraceparent } from '@portal/contract/trace';
import { hasHighLatency } from '../place/connection.ts';

type Early = {
  authorization: string;
  answer: Promise<Response>;
  at: number;
  /** The data of the answer, once it has come and is no refusal. */
  data?: unknown;
};
declare global {
  interface Window {
    /** Filled by first-script.ts, which is in the HTML; the portal removes an answer when it uses it. */
    earlyAnswers?: Map<string, Early>;
  }
}

export function storeEarlyAnswer(path: string, authorization: string, answer: Promise<Response>): void {
  const answers = (requestingWindow().earlyAnswers ??= new Map());
  // A failed call is repeated by its user; without a handler here it would be an unhandled rejection.
  answer.catch(() => answers.delete(path));
  const early: Early = { authorization, answer, at: now() };
  answers.set(path, early);
  answer
    .then(async response => {
      if (response.ok) early.data = await response.clone().json();
    })
    // What can't be read is read by who takes the answer, and fails there.
    .catch(() => undefined);
}

const headersFor = (token: string) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  traceparent: newTraceparent(),
});

/** Asks for a path of the API before the code that reads it has come, and keeps the answer for it. */
export function requestEarly(path: string, token: string): Promise<Response> {
  const headers = headersFor(token);
  const answer = fetch(path, { headers });
  storeEarlyAnswer(path, headers.authorization, answer);
  return answer;
}

/**
 * Asks for several paths as `requestEarly` does: in one request on a long line, where six requests at a time are on their way and
 * more would wait for one another; else each in its own.
 * @returns the answers, by path
 */
export function requestEarlyTogether(paths: readonly string[], token: string, together = hasHighLatency()): Map<string, Promise<Response>> {
  if (!together || paths.length < 2) return new Map(paths.map(path => [path, requestEarly(path, token)]));
  const headers = headersFor(token);
  const answered = fetch(readsTogetherAddress(paths), { headers }).then(async response => {
    if (!response.ok) throw new Error(`Reading together was answered with status ${response.status}`);
    const { answers } = (await response.json()) as ReadsTogether;
    return new Map(answers.map(answer => [answer.path, answer]));
  });
  return new Map(
    paths.map(path => {
      // What is missing is read separately, and fails or succeeds as that does.
      const answer = answered.then(answers => answerOf(answers.get(path))).catch(() => fetch(path, { headers }));
      storeEarlyAnswer(path, headers.authorization, answer);
      return [path, answer];
    }),
  );
}

/** @throws Error when it is not among the answers, or is no read of the API */
function answerOf(answer: ReadTogether | undefined): Response {
  if (!answer || answer.status === 404) throw new Error('It was not read');
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } });
}

/** How long after it was asked for an early answer may be taken: what is older is read anew. */
const freshMs = MINUTE_MS;

/** The window whose first script asks for what the page reads: the portal's, for a framed page too when it may look there. */
function requestingWindow(): Window {
  try {
    return window.parent.earlyAnswers ? window.parent : window;
  } catch {
    return window;
  }
}

const now = (): number => performance.timeOrigin + performance.now();

/** Returns whether an answer that can still be taken was asked for. */
export function isRequestedEarly(path: string): boolean {
  const early = requestingWindow().earlyAnswers?.get(path);
  return early !== undefined && now() - early.at < freshMs;
}

/** Returns what an early answer says and when it was asked for, in ms since 1970, once it has come; it is taken as by `takeEarlyAnswer`. With it a page is drawn whole in its first rendering. */
export function takeEarlyData(path: string, authorization: string): { data: unknown; at: number } | undefined {
  const answers = requestingWindow().earlyAnswers;
  const early = answers?.get(path);
  if (early?.data === undefined || early.authorization !== authorization || now() - early.at >= freshMs) return undefined;
  answers?.delete(path);
  return { data: early.data, at: early.at };
}

/** The answer that was asked for early, once, if it was asked for by the same bearer; undefined when it has to be asked for now. */
export function takeEarlyAnswer(path: string, init: RequestInit): Promise<Response> | undefined {
  const answers = requestingWindow().earlyAnswers;
  const early = answers?.get(path);
  if (!early || init.method !== 'GET') return undefined;
  answers?.delete(path);
  const isFresh = now() - early.at < freshMs;
  return isFresh && new Headers(init.headers).get('authorization') === early.authorization ? early.answer : undefined;
}
