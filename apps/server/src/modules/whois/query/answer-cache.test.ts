import { type AddressRange, parseRange } from '@portal/number-resources';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../../../../test/portal.ts';
import { loadObjects, type WhoisServer, whoisServer } from '../../../../test/whois-server.ts';
import { type AnswerCache, keepAnswers } from './answer-cache.ts';

const patient = { timeout: 30_000, interval: 5 };

describe.each(kinds)('answers kept in memory on %s', kind => {
  let whois: WhoisServer;
  let cache: AnswerCache<string>;
  beforeAll(async () => {
    whois = await whoisServer({ kind });
    cache = await keepAnswers<string>(whois.db);
  });
  afterAll(async () => {
    await cache.stop();
    await whois[Symbol.asyncDispose]();
  });

  async function keep(line: string, range: AddressRange | null, keys: string[] = []): Promise<void> {
    const kept = (): string | undefined => {
      cache.begin()?.(line, { bytes: Buffer.from(line), personal: 0, range, keys: new Set(keys), extra: line });
      return cache.find(line)?.bytes.toString();
    };
    await expect.poll(kept, patient).toBe(line);
  }
  /** Which of the lines are still answered from memory, once it is known what the last commit changed. */
  const left = async (lines: readonly string[]): Promise<string[]> => {
    await expect.poll(() => cache.begin(), patient).not.toBeNull();
    return lines.filter(line => cache.find(line) !== null);
  };

  const route = 'route: 198.18.8.0/24\ndescr: New\norigin: AS64500\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n';
  const person =
    'person: Nora New\naddress: 1 Street\nphone: +61 7 5555 0100\ne-mail: n@holder.example\nnic-hdl: NN1-EX\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n';
  const block = 'as-block: AS65000 - AS65010\ndescr: New\nadmin-c: PP1-EX\ntech-c: PP1-EX\nmnt-by: EXAMPLE-HM\nsource: EXAMPLE\n';
  const zone =
    'domain: 2.0.192.in-addr.arpa\ndescr: New\nadmin-c: PP1-EX\ntech-c: PP1-EX\nzone-c: PP1-EX\nnserver: ns1.holder.example\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n';

  test.each([
    ['a route at the addresses', route, ['beside', 'contact', 'number']],
    ['a contact that is named and was not there', person, ['inside', 'around', 'beside', 'number']],
    ['an as-block', block, ['inside', 'around', 'beside', 'contact']],
    ['a reverse zone', zone, ['number']],
  ])('%s goes with the answers it changes, and with no other', async (_what, object, stay) => {
    const lines = ['inside', 'around', 'beside', 'contact', 'number'];
    await keep('inside', parseRange('198.18.8.7'));
    await keep('around', parseRange('198.18.0.0/16'));
    await keep('beside', parseRange('198.18.9.0/24'));
    await keep('contact', parseRange('203.0.113.0/24'), ['nn1-ex']);
    await keep('number', null, ['as65001']);
    await loadObjects(whois.db, object);
    await expect.poll(() => left(lines), patient).toEqual(stay);
  });

  test('an answer that was begun before a commit does not outlive it', async () => {
    let later: ReturnType<typeof cache.begin> = null;
    await expect.poll(() => (later = cache.begin()), patient).not.toBeNull();
    await loadObjects(whois.db, route.replace('New', 'Again'));
    await keep('another', parseRange('203.0.113.0/24'));
    await keep('seen', parseRange('198.18.8.0/24'));
    await loadObjects(whois.db, route.replace('New', 'And again'));
    await expect.poll(() => left(['another', 'seen']), patient).toEqual(['another']);
    later!('late', { bytes: Buffer.from('late'), personal: 0, range: parseRange('198.18.8.0/24'), keys: new Set(), extra: '' });
    expect(await left(['late'])).toEqual([]);
  });

  test('the oldest go where there is no room, but for those that are asked for again', async () => {
    const small = await keepAnswers<string>(whois.db, 2_000);
    try {
      await expect.poll(() => small.begin(), patient).not.toBeNull();
      const lines = Array.from({ length: 12 }, (_, number) => `line ${number}`);
      await expect
        .poll(() => {
          for (const line of lines) {
            small.begin()?.(line, { bytes: Buffer.alloc(200), personal: 0, range: null, keys: new Set(), extra: line });
            small.find('line 0');
          }
          return lines.filter(line => small.find(line) !== null);
        }, patient)
        .toEqual(['line 0', ...lines.slice(-3)]);
    } finally {
      await small.stop();
    }
  });

  test('the same question is answered the same from memory, in a new connection and in a kept one, until it changes', async () => {
    const [first, again] = [await whois.query('198.18.5.9'), await whois.query('198.18.5.9')];
    expect(again).toBe(first);
    const kept = await whois.send('-k\n-k -r 198.18.4.1\n-k -r 198.18.4.1\n\n');
    expect(kept.match(/^% \[whois/gm)).toHaveLength(1);
    const [one, two] = kept.split(/(?<=Whois Service version.*\n\n\n)/);
    expect(two).toBe(one!.slice(one!.indexOf('% Information')));
    const route4 = 'route: 198.18.4.0/22\ndescr: Changed here\norigin: AS64500\nmnt-by: MAINT-PIA-EX\nsource: EXAMPLE\n';
    await loadObjects(whois.db, route4);
    await expect.poll(() => whois.query('198.18.5.9'), patient).toContain('Changed here');
    await expect.poll(() => whois.send('-k\n-k -r 198.18.4.1\n\n'), patient).toContain('Changed here');
  });
});
