import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import { HOUR_MS } from '@portal/contract/days';
import { findPage } from '@portal/contract/pages';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRegion, sizeOfRegion } from '../../apps/server/src/demo/index.ts';
import { keepFigures } from '../../apps/server/src/modules/numbers-pages/kept-figures.ts';
import { type TestPortal, testPortal } from '../../apps/server/test/portal.ts';
import { type WhoisServer, whoisServer } from '../../apps/server/test/whois-server.ts';
import { type Answer, crawl, withheldIn, wordsOf } from './public-crawl.ts';
import {
  abuseInRdap,
  abuseInText,
  abuseOnPage,
  differences,
  type Facts,
  factsOfRdap,
  factsOfText,
  linkUp,
  mailboxIn,
  type Subject,
} from './whois-facts.ts';

/** With PUBLIC_FACE=10000 that many permalinks of a demo region are crawled, and 300 questions compared; otherwise a few of the demo registry. */
const permalinks = Number(process.env.PUBLIC_FACE ?? 80);
const questions = process.env.PUBLIC_FACE ? 300 : 40;
/** How long a test may take, in ms: a region is made and crawled. */
const LONGEST_MS = HOUR_MS;
/** Objects of an account of a region, and some more. */
const OBJECTS_OF_ACCOUNT = 70;

const origin = 'http://portal.test';
let portal: TestPortal;
let whois: WhoisServer;
const ask = async (path: string, from: string): Promise<Answer> => {
  const { statusCode, headers, body } = await portal.http.inject({ url: path, headers: { host: 'portal.test' }, remoteAddress: from });
  return {
    status: statusCode,
    location: statusCode >= 300 && statusCode < 400 ? String(headers.location ?? '') : null,
    type: String(headers['content-type'] ?? ''),
    body,
  };
};

beforeAll(async () => {
  portal = await testPortal();
  const { db, config, context } = portal;
  if (process.env.PUBLIC_FACE)
    await makeRegion(db, {
      size: sizeOfRegion({ accounts: Math.max(10, Math.ceil(permalinks / OBJECTS_OF_ACCOUNT)), tickets: 100, activities: 1000 }),
      config,
      profile: context.profile,
      today: new Date(),
      statistics: null,
      announcements: null,
    });
  await keepFigures(context);
  whois = await whoisServer({ on: db, personalLookupsPerDay: 1_000_000 });
}, LONGEST_MS);
afterAll(async () => {
  await whois[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** A page of the web apps, or of a login, which begins a sign-in: other programs than this crawler open them, so only whether there is one is asked. */
const isAppPage = (path: string): boolean =>
  path.startsWith('/assets/') ||
  /^\/account(?:\/|$)/.test(path) ||
  (backEndAnswerOf(path) === null && findPage(path, 'registry').name !== 'notFound');

/** Mailboxes of people and accounts that are in no published attribute of whois. */
async function withheldMailboxes(): Promise<Set<string>> {
  const own = await portal.db.read.rows<{ email: string }>(sql`select lower(email) as email from login where email is not null`);
  const published = new Set<string>();
  const texts = await portal.db.read.rows<{ text: string }>(sql`select text from whois_object`);
  for (const { text } of texts)
    for (const [, value] of text.matchAll(
      /^(?:e-mail|abuse-mailbox|remarks|descr|address|trouble|notify|mnt-nfy|ref-nfy|irt-nfy|upd-to):(.*)$/gm,
    ))
      for (const email of value!.match(/[^\s<>]+@[^\s<>,]+/g) ?? []) published.add(email.toLowerCase());
  const { supportEmail } = portal.context.profile;
  return new Set(own.map(({ email }) => email).filter(email => !published.has(email) && email !== supportEmail.toLowerCase()));
}

const encoded = (key: string): string => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':');

/** Objects of each class in turn, spread over each, so that a few are of all classes. */
async function keysOf(classes: readonly string[], most: number): Promise<{ class: string; key: string }[]> {
  return portal.db.read.rows(sql`select class, shown as key from (
      select class, shown, row_number() over (partition by class order by md5(shown)) as place from whois_object where class = any(${[...classes]}::text[])) o
    order by place, class limit ${most}`);
}

describe('the public face of the registry', () => {
  test(
    `a crawler of ${permalinks} permalinks finds no error, no dead link, and nothing that only members read`,
    async () => {
      const withheld = await withheldMailboxes();
      expect(withheld.size).toBeGreaterThan(0);
      const classes = (await portal.db.read.rows<{ class: string }>(sql`select distinct class from whois_object`)).map(each => each.class);
      const seeds = (await keysOf(classes, 2 * permalinks)).map(({ key }) => `/whois/${encoded(key)}`);
      const pages = [
        '/whois',
        '/whois/query',
        '/whois/abuse',
        '/numbers',
        '/status',
        '/help',
        '/log',
        '/privacy',
        '/legal',
        '/accessibility',
      ];
      const report = await crawl({ ask, origin, seeds: [...pages, ...seeds], most: permalinks, withheld, isAppPage });
      console.log(`${report.permalinks} permalinks, ${report.answers} answers, ${report.findings.length} findings`);
      expect(report.findings).toEqual([]);
      expect(report.permalinks).toBe(permalinks);
      expect(report.answers).toBeGreaterThan(2 * permalinks);
    },
    LONGEST_MS,
  );

  test('the crawler sees what it looks for', () => {
    const html = { type: 'text/html; charset=utf-8' };
    const withheld = new Set(['pat@example.net']);
    expect(withheldIn({ ...html, body: '<p>Pat@<b>example</b>.net</p>' }, withheld)).toEqual(['Pat@example.net']);
    expect(withheldIn({ type: 'text/plain', body: 'mntner: X\nauth:   MD5-PW $1$x\nauth: # Filtered\n' }, withheld)).toEqual([
      'auth:   MD5-PW $1$x',
    ]);
    expect(withheldIn({ ...html, body: '<span>auth:</span>   # Filtered\n' }, withheld)).toEqual([]);
    expect(wordsOf({ ...html, body: 'a &amp; <i>b</i>' })).toBe('a & b');
  });

  test('over the limit of a day no contact is in any form of any answer', async () => {
    const from = '198.51.100.77';
    const people = await keysOf(['person'], 5);
    const [network] = await keysOf(['inetnum'], 1);
    const { personalLookupsPerDay } = portal.context.profile;
    const isContact = /^(?:person|role):/m;
    let seen = 0;
    // Each answer has one of them at least.
    for (let asked = 0; asked <= personalLookupsPerDay + 1; asked++) {
      const answer = await ask(`/whois/${encoded(people[asked % people.length]!.key)}?as=text`, from);
      if (answer.status !== 200) break;
      seen += (answer.body.match(/^person:/gm) ?? []).length;
    }
    expect(seen).toBeLessThanOrEqual(personalLookupsPerDay + 10);
    for (const path of people
      .map(({ key }) => `/whois/${encoded(key)}`)
      .concat(`/whois/${encoded(network!.key)}`, `/whois/query?key=${encoded(people[0]!.key)}`))
      for (const form of ['', 'text'])
        expect(wordsOf(await ask(`${path}${form && `${path.includes('?') ? '&' : '?'}as=${form}`}`, from)), path).not.toMatch(isContact);
  });
});

describe(`${questions} questions`, () => {
  const kinds: Readonly<Record<string, Subject['kind']>> = {
    inetnum: 'network',
    inet6num: 'network',
    'aut-num': 'as',
    domain: 'zone',
    person: 'entity',
    role: 'entity',
    organisation: 'entity',
    irt: 'entity',
  };
  const rdapPath = ({ kind, key }: Subject): string => {
    if (kind === 'as') return `/rdap/autnum/${key.slice(2)}`;
    if (kind === 'zone') return `/rdap/domain/${key}`;
    return kind === 'entity' ? `/rdap/entity/${encodeURIComponent(key)}` : `/rdap/ip/${key}`;
  };
  /** A range as RDAP takes it: a prefix; null where it is none. */
  const prefixOf = async (key: string): Promise<string | null> => {
    const { location } = await ask(`/whois/${encoded(key)}`, '10.255.0.1');
    const path = decodeURIComponent((location ?? `/whois/${key}`).replace(/^.*\/whois\//, ''));
    return path.includes(' ') ? null : path;
  };

  /** Mailboxes for abuse reports at RDAP: of the object, or of the closest one above that has some. */
  const abuseAt = async (body: string, from: string): Promise<string[]> => {
    const [own, above] = [abuseInRdap(body), linkUp(body)];
    if (own.length > 0 || above === null) return own;
    return abuseAt((await ask(above.slice(origin.length), from)).body, from);
  };

  test(
    'have the same facts from /whois, port 43 and RDAP',
    async () => {
      const found: string[] = [];
      let compared = 0;
      const stored = await keysOf(Object.keys(kinds), questions + 100);
      for (const { class: name, key: shown } of stored) {
        if (compared === questions) break;
        const kind = kinds[name]!;
        const key = kind === 'network' ? await prefixOf(shown) : shown;
        if (key === null) continue;
        const subject = { kind, key };
        const from = `10.254.${compared >> 8}.${compared & 255}`;
        const [page, text, rdap, port43] = [
          await ask(`/whois/${encoded(key)}`, from),
          await ask(`/whois/${encoded(key)}?as=text`, from),
          await ask(rdapPath(subject), from),
          await whois.query(key),
        ];
        compared++;
        const statuses = [page, text, rdap].map(({ status }) => status);
        if (statuses.some(status => status !== 200)) {
          found.push(`${key} answers ${statuses.join(', ')}`);
          continue;
        }
        const facts: [string, Facts][] = [
          ['the page', factsOfText(subject, wordsOf({ ...page, body: [...page.body.matchAll(/<pre[^>]*>.*?<\/pre>/gs)].join('\n\n') }))],
          ['the text', factsOfText(subject, text.body)],
          ['RDAP', factsOfRdap(subject, rdap.body)],
        ];
        const own = factsOfText(subject, port43);
        if (own['found'] !== 'yes') found.push(`port 43 doesn’t find ${key}`);
        for (const [way, others] of facts)
          for (const each of differences(own, others)) found.push(`${key} at port 43 and in ${way}: ${each}`);
        if (kind === 'network' || kind === 'as') {
          // Where the object itself names none, each way has another one to ask what lies above: -b at port 43, the link up in RDAP.
          const abuse = abuseInText(port43) ?? mailboxIn(await whois.query(`-b ${key}`));
          const json = JSON.parse((await ask(`/whois/${encoded(key)}?as=json`, from)).body) as { abuseMailbox: string | null };
          const [onPage, inRdap] = [abuseOnPage(page), await abuseAt(rdap.body, from)];
          if (onPage !== abuse || json.abuseMailbox !== abuse || (abuse === null ? inRdap.length > 0 : !inRdap.includes(abuse)))
            found.push(
              `${key}: abuse goes to ${abuse} at port 43, ${onPage} on the page, ${json.abuseMailbox} in JSON, ${inRdap.join(' or ')} at RDAP`,
            );
        }
      }
      expect(found).toEqual([]);
      expect(compared).toBe(questions);
    },
    LONGEST_MS,
  );
});
