import { dayInWords } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from '../public-pages/index.ts';

/** Versions of an object, oldest first. */
export type VersionTimes = readonly { operation: 'ADD' | 'DEL'; happenedAt: string }[];

/** Years between two lines of the picture, so that at most eight have one. */
const stepOf = (years: number): number => [1, 2, 5, 10, 20].find(step => years / step <= 8) ?? 50;

/** Who holds the numbers since when; null where no delegation covers them, or its day isn't known. */
export type HeldSince = { holder: string; day: string } | null;

/** Height of one line of the picture. */
const LANE = 26;

/**
 * Draws who holds the numbers since when, and when their object was created and changed, from the beginning of the first year until now. The list of versions says
 * the same in words.
 */
export function historyPicture(key: string, { versions, held, now }: { versions: VersionTimes; held: HeldSince; now: Date }): Content {
  const [first] = versions;
  if (!first) return null;
  const firstYear = Math.min(Number(first.happenedAt.slice(0, 4)), Number((held?.day ?? first.happenedAt).slice(0, 4)));
  const begin = Date.UTC(firstYear, 0, 1);
  const span = Math.max(1, now.getTime() - begin);
  const place = (instant: number): number => Math.max(0, Math.min(100, Math.round(((instant - begin) / span) * 10_000) / 100));
  const thisYear = now.getUTCFullYear();
  const step = stepOf(thisYear - firstYear + 1);
  const years = Array.from({ length: Math.floor((thisYear - firstYear) / step) + 1 }, (_, n) => firstYear + n * step);
  const last = versions.at(-1)!;
  const count = versions.length === 1 ? 'One version' : `${versions.length} versions`;
  const [firstDay, lastDay] = [dayInWords(first.happenedAt), dayInWords(last.happenedAt)];
  const days = firstDay === lastDay ? `on ${firstDay}` : `the first on ${firstDay}, the last on ${lastDay}`;
  const said = `${count} of ${key}${firstDay === lastDay ? ' ' : ': '}${days}.`;
  const marks = [...new Map(versions.map(({ operation, happenedAt }) => [place(Date.parse(happenedAt)), operation]))];
  const since = held && place(Date.parse(held.day));
  const top = held ? LANE : 0;
  const foot = top + LANE;
  const lanes = html`${years.map(year => {
    const x = place(Date.UTC(year, 0, 1));
    return html`<rect class="base" x="${x}%" y="0" width="1" height="${foot}"/>${x < 88 && html`<text class="end" x="${x}%" y="${foot + 14}">${year}</text>`}`;
  })}${
    held &&
    since !== null &&
    html`<rect class="network" x="${since}%" y="3" width="${Math.max(0.2, 100 - since)}%" height="18"/><svg x="${since}%" y="3" width="${Math.max(0.2, 100 - since)}%" height="18"><text x="8" y="13">${held.holder}, since ${dayInWords(held.day)}</text></svg>`
  }<rect class="base" x="0" y="${top + 11}" width="100%" height="2"/>${marks.map(
    ([x, operation]) =>
      html`<svg x="${x}%" y="${top + 2}" width="8" height="20" overflow="visible"><rect class="${operation === 'DEL' ? 'invalid' : 'announced'}" x="-2" width="4" height="20"/></svg>`,
  )}`;
  const title = `${held ? `Held by ${held.holder} since ${dayInWords(held.day)}. ` : ''}${said}`;
  const body = html`<div class="pad history"><div class="lanes" aria-hidden="true">${held && html`<span>Holder</span>`}<span>Whois</span></div><svg class="picture" role="img" aria-label="${title}" width="100%" height="${foot + 18}">${lanes}</svg></div>`;
  return sheet('history', 'History', {
    head: html`<p class="aside">${said}</p>`,
    body,
    foot: html`<a href="/whois/query?key=${encodeURIComponent(key)}&amp;versions=1">List the versions</a>`,
  });
}
