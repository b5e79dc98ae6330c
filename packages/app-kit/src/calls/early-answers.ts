import { MINUTE_MS } from '@portal/contract/days';
import { newTraceparent } from '@portal/contract/trace';

type Early = { authorization: string; answer: Promise<Response>; at: number };
declare global {
  interface Window {
    /** Filled by first-script.ts, which is in the HTML; the portal removes an answer when it uses it. */
    earlyAnswers?: Map<string, Early>;
  }
}

export function storeEarlyAnswer(path: string, authorization: string, answer: Promise<Response>): void {
  const answers = (askingWindow().earlyAnswers ??= new Map());
  // A failed call is repeated by its user; without a handler here it would be an unhandled rejection.
  answer.catch(() => answers.delete(path));
  answers.set(path, { authorization, answer, at: performance.timeOrigin + performance.now() });
}

/** Asks for a path of the API before the code that reads it has come, and keeps the answer for it. */
export function askEarly(path: string, token: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent: newTraceparent() };
  const answer = fetch(path, { headers });
  storeEarlyAnswer(path, headers.authorization, answer);
  return answer;
}

/** How long after it was asked for an early answer may be taken: what is older is read anew. */
const freshMs = MINUTE_MS;

/** The window whose first script asks for what the page reads: the portal's, for a framed page too when it may look there. */
function askingWindow(): Window {
  try {
    return window.parent.earlyAnswers ? window.parent : window;
  } catch {
    return window;
  }
}

/** The answer that was asked for early, once, if it was asked for by the same bearer; undefined when it has to be asked for now. */
export function takeEarlyAnswer(path: string, init: RequestInit): Promise<Response> | undefined {
  const answers = askingWindow().earlyAnswers;
  const early = answers?.get(path);
  if (!early || init.method !== 'GET') return undefined;
  answers?.delete(path);
  const isFresh = performance.timeOrigin + performance.now() - early.at < freshMs;
  return isFresh && new Headers(init.headers).get('authorization') === early.authorization ? early.answer : undefined;
}
