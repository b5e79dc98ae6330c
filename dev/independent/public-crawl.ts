/** An answer as a stranger's program sees it. */
export type Answer = { status: number; location: string | null; type: string; body: string };

/** Where the crawler asks, and what it knows beforehand. */
export type Crawled = {
  /** Asks for a path of the registry, from an address of a stranger. */
  ask: (path: string, from: string) => Promise<Answer>;
  /** Address of the registry in links, without a final slash. */
  origin: string;
  /** Paths to begin with. */
  seeds: readonly string[];
  /** Permalinks of /whois that are asked for at most. */
  most: number;
  /** E-mail addresses that only members and staff may read, in small letters. */
  withheld: ReadonlySet<string>;
  /** Whether a path is a page of the web apps, which another program serves. */
  isAppPage: (path: string) => boolean;
};

export type CrawlReport = { permalinks: number; answers: number; findings: string[] };

/** Permalinks that one address asks for before the next one does, so that none comes near the limit of personal data. */
const OF_ONE_ADDRESS = 25;
/** Questions at the same time. */
const AT_ONCE = 2;
/** Other pages of one path that are asked for, whatever their query: a form of reports has a link on every page. */
const OF_ONE_PATH = 40;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);

/** The words of an answer, without markup. */
export const wordsOf = ({ type, body }: Pick<Answer, 'type' | 'body'>): string =>
  type.startsWith('text/html')
    ? unescaped(body.replace(/<(?:script|style)[^>]*>.*?<\/(?:script|style)>/gs, '').replace(/<[^>]*>/g, ''))
    : body;

/** Links and targets of forms of a page, as they are written. */
const linksOf = (body: string): string[] => [...body.matchAll(/\s(?:href|action|src)="([^"]*)"/g)].map(([, link]) => unescaped(link!));

/** Values of `auth` that are shown instead of a credential. */
const credential = /^auth:[ \t]*(?=\S)(?!# Filtered[ \t]*$).*/m;
const mailbox = /[\w.+'-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Returns what of an answer no one may read here; empty where there is nothing. */
export function withheldIn(answer: Pick<Answer, 'type' | 'body'>, withheld: ReadonlySet<string>): string[] {
  const words = wordsOf(answer);
  const shown = [...new Set(words.match(mailbox) ?? [])].filter(each => withheld.has(each.toLowerCase()));
  return [...shown, ...(credential.exec(words) ?? [])];
}

/** Says that numbers are another registry's, or no one's: an answer, although nothing is registered here. */
const isOfOthers = /doesn’t hold its data|no registry delegates it/;

/** The path of the page of a key, without the form of its answer; null for tools and other pages. */
const permalinkOf = (path: string): string | null => /^\/whois\/(?!(?:query|abuse|report|search)(?:[/?#]|$))[^?#]+/.exec(path)?.[0] ?? null;

/**
 * Asks for permalinks of /whois as a stranger's program does, each as a page, as text, as JSON and at RDAP where the page names them, follows all links, and finds answers that
 * are errors of the server, links that lead nowhere, and data that no stranger may read.
 */
export async function crawl({ ask, origin, seeds, most, withheld, isAppPage }: Crawled): Promise<CrawlReport> {
  const report: CrawlReport = { permalinks: 0, answers: 0, findings: [] };
  const waiting = new Map<string, string>();
  const known = new Set<string>();
  const ofPath = new Map<string, number>();
  const find = (sentence: string): void => void report.findings.push(sentence);

  async function answerOf(path: string, from: string): Promise<Answer> {
    const answer = await ask(path, from);
    report.answers++;
    if (answer.status >= 500) find(`${path} answers ${answer.status}`);
    for (const value of withheldIn(answer, withheld)) find(`${path} shows ${value}`);
    return answer;
  }
  /** Follows other spellings to the page. */
  async function arrive(path: string, from: string): Promise<{ path: string; answer: Answer }> {
    let at = path;
    for (let steps = 0; ; steps++) {
      const answer = await answerOf(at, from);
      if (answer.location === null || steps === 3) return { path: at, answer };
      at = answer.location.startsWith(origin) ? answer.location.slice(origin.length) : answer.location;
      if (!at.startsWith('/')) return { path: at, answer };
    }
  }
  const add = (path: string, by: string): void => {
    if (known.has(path)) return;
    known.add(path);
    waiting.set(path, by);
  };

  /** Keeps what a page leads to. Links to other hosts are theirs. */
  function keepLinks(page: string, body: string): void {
    for (const written of linksOf(body)) {
      const link = written.startsWith(`${origin}/`) ? written.slice(origin.length) : written;
      if (link.startsWith('#')) {
        if (!new RegExp(`\\sid="${link.slice(1).replaceAll(/\W/g, '\\$&')}"`).test(body))
          find(`${page} leads to ${link}, which isn’t on it`);
        continue;
      }
      const path = link.replace(/#.*$/, '');
      if (!link.startsWith('/') || link.startsWith('//') || isAppPage(path)) continue;
      const permalink = permalinkOf(path);
      if (permalink !== null) {
        // Its other forms are asked for with the page.
        add(permalink, page);
        continue;
      }
      if (path.startsWith('/rdap/')) continue;
      const name = path.replace(/\?.*$/, '');
      const count = ofPath.get(name) ?? 0;
      if (count >= OF_ONE_PATH || known.has(path)) continue;
      ofPath.set(name, count + 1);
      add(path, page);
    }
  }

  async function visit(path: string, by: string, from: string): Promise<void> {
    // Counted before the answer: another visit that begins meanwhile sees it.
    if (permalinkOf(path) !== null) report.permalinks++;
    const { path: at, answer } = await arrive(path, from);
    if (permalinkOf(path) === null) {
      if (answer.status >= 400) find(`${path} answers ${answer.status}, to which ${by} leads`);
      if (answer.type.startsWith('text/html')) keepLinks(path, answer.body);
      return;
    }
    known.add(at);
    waiting.delete(at);
    if (answer.status !== 200 && !(answer.status === 404 && isOfOthers.test(wordsOf(answer))))
      find(`${path} answers ${answer.status}, to which ${by} leads`);
    keepLinks(at, answer.body);
    if (answer.status !== 200) return;
    const forms = linksOf(answer.body).filter(link => link.startsWith(`${at}?as=`) || link.startsWith(`${origin}/rdap/`));
    for (const form of new Set(forms)) {
      const other = await arrive(form.startsWith(origin) ? form.slice(origin.length) : form, from);
      if (other.answer.status !== 200) find(`${form} answers ${other.answer.status}, to which ${at} leads`);
      if (/as=json$|^\/rdap\//.test(other.path) && other.answer.status === 200) {
        try {
          JSON.parse(other.answer.body);
        } catch {
          find(`${other.path} is no JSON`);
        }
      }
    }
  }

  for (const seed of seeds) add(seed, 'the list of objects');
  await emptied(waiting, {
    isLeftOut: path => permalinkOf(path) !== null && report.permalinks >= most,
    visit,
  });
  return report;
}

/** Visits what waits, and what these visits add, some at a time, each few from another address. */
async function emptied(
  waiting: Map<string, string>,
  { isLeftOut, visit }: { isLeftOut: (path: string) => boolean; visit: (path: string, by: string, from: string) => Promise<void> },
): Promise<void> {
  let asked = 0;
  const next = (): [string, string] | null => {
    for (const [path, by] of waiting) {
      if (isLeftOut(path)) continue;
      waiting.delete(path);
      return [path, by];
    }
    return null;
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let found = next(); found !== null; found = next()) {
        const stranger = Math.floor(asked++ / OF_ONE_ADDRESS);
        await visit(...found, `10.${(stranger >> 16) & 255}.${(stranger >> 8) & 255}.${stranger & 255}`);
      }
    }),
  );
}
