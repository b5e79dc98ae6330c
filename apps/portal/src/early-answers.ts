type Early = { authorization: string; answer: Promise<Response> };
declare global {
  interface Window {
    /** Filled by early-calls.ts, a separate script; the portal removes an answer when it uses it. */
    earlyAnswers?: Map<string, Early>;
  }
}

export function storeEarlyAnswer(path: string, authorization: string, answer: Promise<Response>): void {
  // A failed call is repeated by its user; without a handler here it would be an unhandled rejection.
  answer.catch(() => window.earlyAnswers?.delete(path));
  (window.earlyAnswers ??= new Map()).set(path, { authorization, answer });
}

/** The answer that was asked for early, once, if it was asked for by the same bearer; undefined when it has to be asked for now. */
export function takeEarlyAnswer(path: string, init: RequestInit): Promise<Response> | undefined {
  const early = window.earlyAnswers?.get(path);
  if (!early || init.method !== 'GET') return undefined;
  window.earlyAnswers?.delete(path);
  return new Headers(init.headers).get('authorization') === early.authorization ? early.answer : undefined;
}
