import { maxReadsTogether, readsTogetherAddress, type ReadsTogether } from '@portal/contract/shell/reads-together';
import { newTraceparent } from '@portal/contract/trace';
import { hasHighLatency } from './connection.ts';
import { answerAge } from '../kit/answer-age.ts';

/** An answer requested before the page's code has arrived, or before the page is opened. Refusals are never used. */
type Ahead = {
  /** For the bearer who asked. */
  authorization: string;
  text: Promise<string>;
  /** Once it has arrived: its data, and when it arrived, in ms since 1970. */
  come?: { text: string; at: number };
};
declare global {
  interface Window {
    /** Filled by first-script.ts, which is in the HTML, and by what is about to be opened; the cache of answers takes each once. */
    readsAhead?: Map<string, Ahead>;
  }
}

/** The window whose first script asks for what the page reads: the portal's, for a framed page too when it may look there. */
function requestingWindow(): Window {
  try {
    return window.parent.readsAhead ? window.parent : window;
  } catch {
    return window;
  }
}
const store = (): Map<string, Ahead> => (requestingWindow().readsAhead ??= new Map());

const isUsable = ({ come }: Ahead, age: number): boolean => !come || Date.now() - come.at < age;

/** Returns whether a usable answer was requested. */
export function isReadAhead(path: string): boolean {
  const ahead = store().get(path);
  return ahead !== undefined && isUsable(ahead, answerAge.fresh);
}

/**
 * Asks for paths of the API before the code that reads them has come. What is refused or fails is left to that code.
 * @param together in one request, as on a slow connection, where six requests at a time are on their way and more would wait for one another
 */
export function requestReads(paths: readonly string[], token: string, together = hasHighLatency()): void {
  const unasked = [...new Set(paths)].filter(path => !isReadAhead(path));
  const authorization = `Bearer ${token}`;
  const ask = async (address: string): Promise<string> => {
    const response = await fetch(address, {
      headers: { 'content-type': 'application/json', authorization, traceparent: newTraceparent() },
    });
    if (!response.ok) throw new Error(`It was answered with status ${response.status}`);
    return response.text();
  };
  if (!together || unasked.length < 2) for (const path of unasked) keep(path, authorization, ask(path));
  else
    for (let from = 0; from < unasked.length; from += maxReadsTogether) {
      const part = unasked.slice(from, from + maxReadsTogether);
      const asked = ask(readsTogetherAddress(part)).then(text => (JSON.parse(text) as ReadsTogether).answers);
      for (const path of part)
        keep(
          path,
          authorization,
          asked.then(answers => {
            const answer = answers.find(each => each.path === path);
            if (answer?.status !== 200) throw new Error('It was not read');
            return answer.body;
          }),
        );
    }
}

function keep(path: string, authorization: string, text: Promise<string>): void {
  const answers = store();
  const ahead: Ahead = { authorization, text };
  answers.set(path, ahead);
  text.then(
    come => (ahead.come = { text: come, at: Date.now() }),
    () => answers.get(path) === ahead && answers.delete(path),
  );
}

function take(path: string, authorization: string | null, age: number): Ahead | undefined {
  const answers = store();
  const ahead = answers.get(path);
  if (ahead?.authorization !== authorization || !isUsable(ahead, age)) return undefined;
  answers.delete(path);
  return ahead;
}

/**
 * Returns the data of an answer that has arrived, and when it arrived, in ms since 1970; once, and only to the bearer who asked. With it a page is
 * complete in its first rendering.
 */
export function takeReadAhead(path: string, authorization: string): { data: unknown; at: number } | undefined {
  if (!store().get(path)?.come) return undefined;
  const come = take(path, authorization, answerAge.shown)?.come;
  return come && { data: JSON.parse(come.text), at: come.at };
}

/** Makes a call: a read already in flight for the same bearer is awaited; a change invalidates all prefetched answers. */
export async function fetchOrTake(path: string, init: RequestInit): Promise<Response> {
  if (init.method !== 'GET') dropReadsAhead();
  const ahead = init.method === 'GET' ? take(path, new Headers(init.headers).get('authorization'), answerAge.fresh) : undefined;
  const text = await ahead?.text.catch(() => undefined);
  return text === undefined ? fetch(path, init) : new Response(text, { headers: { 'content-type': 'application/json' } });
}

/** Returns the data of a requested answer without consuming it; undefined if unavailable. */
export async function peekReadAhead(path: string): Promise<unknown> {
  try {
    const text = await store().get(path)?.text;
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Drops all prefetched answers. */
export const dropReadsAhead = (): void => store().clear();

/** The addresses of declared reads (`PageReads`), which the web build writes down and the server puts into the HTML; `{account}` is the selected account. */
type ReadsTable = { page: string | null; shell: readonly string[]; pages: Readonly<Record<string, readonly string[] | undefined>> };

let table: ReadsTable | undefined;
/** Returns the table of this document; empty where the document has none, as in development. */
export const readsTable = (): ReadsTable =>
  (table ??= JSON.parse(document.getElementById('reads')?.textContent ?? '{"page":null,"shell":[],"pages":{}}') as ReadsTable);

/** Returns the addresses that a page reads first. */
export const firstReadsOf = (page: string, account: string): string[] =>
  (readsTable().pages[page] ?? []).map(path => path.replaceAll('{account}', encodeURIComponent(account)));
