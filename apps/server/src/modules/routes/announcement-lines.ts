import { maxOwnAnnouncements } from '@portal/contract/routes/own-tables';
import { formatCount, parseAsNumber, parsePrefix, printPrefix, ResourceSyntaxError } from '@portal/number-resources';

export type AnnouncedLine = { prefix: string; asn: number; peers: number };

/** Text that looks like `AS64500` or `64500`. */
const looksLikeAs = /^(?:AS)?\d{1,10}$/i;

/**
 * Reads announcements, one per line: prefix and origin in either order, separated by spaces, tabs, commas or semicolons, then the number of peers, if
 * any. So a RIS whois dump, a CSV file and
 * `192.0.2.0/24 AS64500` are all read. Every unreadable line is a separate problem; an AS set has no single origin, and is counted.
 */
export function readAnnouncementLines(text: string): {
  announced: AnnouncedLine[];
  sets: number;
  problems: { line: number; problem: string }[];
} {
  const announced: AnnouncedLine[] = [];
  const problems: { line: number; problem: string }[] = [];
  let sets = 0;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const words = raw.trim();
    if (words === '' || /^[#%]/.test(words)) continue;
    // The head of a CSV file.
    if (index === 0 && /^"?(?:prefix|origin|asn?)\b/i.test(words) && !/\d/.test(words)) continue;
    if (words.includes('{')) {
      sets++;
      continue;
    }
    const report = (problem: string) => problems.push({ line: index + 1, problem });
    const parts = words.split(/[\s,;]+/).map(part => part.replace(/^"|"$/g, ''));
    const [prefix] = parts.filter(part => part.includes('/'));
    const numbers = parts.filter(part => looksLikeAs.test(part));
    if (prefix === undefined) report(`${words.slice(0, 40)} has no prefix. A line is 192.0.2.0/24 AS64500`);
    else if (numbers.length === 0) report(`${words.slice(0, 40)} has no AS number. A line is 192.0.2.0/24 AS64500`);
    else if (parts.length > 3 || numbers.length + 1 < parts.length)
      report(`${words.slice(0, 40)} is more than a prefix, an AS number and a number of peers`);
    else
      try {
        const peers = Number(numbers[1] ?? '1');
        if (!Number.isInteger(peers) || peers > 1_000_000) report(`${numbers[1]!.slice(0, 20)} is not a number of peers`);
        else announced.push({ prefix: printPrefix(parsePrefix(prefix)), asn: parseAsNumber(numbers[0]!), peers });
      } catch (error) {
        if (!(error instanceof ResourceSyntaxError)) throw error;
        report(error.message);
      }
    if (announced.length > maxOwnAnnouncements) {
      report(`An upload can have ${formatCount(maxOwnAnnouncements)} announcements. Leave out what isn’t in your space`);
      break;
    }
  }
  return { announced, sets, problems };
}
