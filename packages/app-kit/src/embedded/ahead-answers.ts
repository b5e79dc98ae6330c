import { readsTogetherAddress, type ReadsTogether } from '@portal/contract/shell/reads-together';
import { storeEarlyAnswer, takeEarlyAnswer } from '../calls/early-answers.ts';

const requestedAhead = new Set<string>();

/**
 * Requests in one call the reads of pages that may be opened next, and keeps the answers for a minute as those that were asked for early. What is refused or fails is left to the page: no message appears about a page that was not opened.
 */
export function requestAhead(paths: readonly string[], token: string): void {
  if (paths.length === 0) return;
  const authorization = `Bearer ${token}`;
  const asked = fetch(readsTogetherAddress(paths), { headers: { authorization } }).then(async response => {
    const { answers } = (await response.json()) as ReadsTogether;
    return new Map(answers.map(answer => [answer.path, answer]));
  });
  for (const path of paths) {
    const answer = asked.then(answers => {
      const read = answers.get(path);
      if (read?.status !== 200) throw new Error('It was not read');
      return new Response(read.body, { headers: { 'content-type': 'application/json' } });
    });
    requestedAhead.add(path);
    storeEarlyAnswer(path, authorization, answer);
  }
}

/** Forgets what was asked for ahead: a change may have made it untrue. */
export function dropAhead(): void {
  for (const path of requestedAhead) void takeEarlyAnswer(path, { method: 'GET' })?.catch(() => undefined);
  requestedAhead.clear();
}
