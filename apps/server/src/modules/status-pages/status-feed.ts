import { announcementCategories, stages } from '@portal/contract/announcements/announcement-shapes';
import { utcDay } from '@portal/contract/days';
import { type ServiceName, servicesInWords, serviceTitles } from '@portal/contract/service-names';
import { html } from '../../platform/http/html.ts';
import type { PublicAnnouncement } from '../announcements/index.ts';
import type { Look } from './last-look.ts';
import { noticesIn } from './notices.ts';
import { headline } from './status-page.ts';

type Entry = { id: string; title: string; text: string; at: string; updatedAt: string; categories: readonly string[] };

const minuteOf = (instant: string): string => `${utcDay(Date.parse(instant))} ${instant.slice(11, 16)} UTC`;

/** When something happens and what it is about, for readers of the feed; empty where neither is known. */
const whenInWords = ({
  happensFrom,
  happensUntil,
  services,
  concerns,
}: Pick<PublicAnnouncement, 'happensFrom' | 'happensUntil' | 'services' | 'concerns'>): string =>
  [
    ...(happensFrom === null ? [] : [`From ${minuteOf(happensFrom)}${happensUntil === null ? '' : ` until ${minuteOf(happensUntil)}`}.`]),
    ...(services.length === 0 ? [] : [`Affects ${servicesInWords(services)}.`]),
    ...(concerns.length === 0 ? [] : [`About ${concerns.join(', ')}.`]),
  ].join(' ');

/** Updates, the newest first, one a paragraph. */
const updatesInWords = ({ updates }: Pick<PublicAnnouncement, 'updates'>): string[] =>
  updates.map(({ stage, text, at }) => `${stages[stage]}, ${minuteOf(at)}: ${text}`);

/** Characters that XML 1.0 cannot hold. */
const inXml = (text: string): string => text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');

type Options = { appUrl: string; registryName: string; now: Date; only?: readonly ServiceName[] };

/**
 * Incidents and planned work as a feed (RFC 4287), and an outage of the database while it lasts. @param only services to which it keeps; none: all of them. Those that name
 * no service are in each feed.
 */
export function statusFeed(look: Look, { appUrl, registryName, now, only = [] }: Options): string {
  const { incidents, planned } = noticesIn(look, now);
  const isWanted = ({ services }: PublicAnnouncement): boolean =>
    only.length === 0 || services.length === 0 || services.some(name => only.includes(name));
  const page = `${appUrl}/status`;
  const query = only.map(name => `service=${name}`).join('&');
  const address = `${page}/feed.atom${query && `?${query}`}`;
  const outage: Entry[] =
    look.downSince === null
      ? []
      : [
          {
            id: `${page}#outage-${look.downSince}`,
            ...headline(look, now),
            at: look.downSince,
            updatedAt: look.downSince,
            categories: ['Outage'],
          },
        ];
  const entries: Entry[] = [
    ...outage,
    ...[...incidents, ...planned]
      .filter(isWanted)
      .map(({ announcementId, title, body, publishedAt, category, ...happens }) => ({
        id: `${page}#notice-${announcementId}`,
        title,
        text: [...updatesInWords(happens), whenInWords(happens), body].filter(Boolean).join('\n\n'),
        at: publishedAt,
        updatedAt: happens.updates[0]?.at ?? publishedAt,
        categories: [announcementCategories[category], ...happens.services.map(name => serviceTitles[name])],
      }))
      .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt)),
  ];
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><id>${query ? address : page}</id><title>Status of ${inXml(registryName)}${only.length > 0 && `: ${servicesInWords(only)}`}</title>
<updated>${entries[0]?.updatedAt ?? '1970-01-01T00:00:00Z'}</updated><author><name>${inXml(registryName)}</name></author>
<link rel="self" type="application/atom+xml" href="${address}"/><link rel="alternate" type="text/html" href="${page}"/>
${entries.map(
  ({
    id,
    title,
    text,
    at,
    updatedAt,
    categories,
  }) => html`<entry><id>${id}</id><title>${inXml(title)}</title><updated>${updatedAt}</updated><published>${at}</published>
<link rel="alternate" type="text/html" href="${id}"/>${categories.map(term => html`<category term="${term}"/>`)}<content type="text">${inXml(text)}</content></entry>
`,
)}</feed>`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.markup}\n`;
}
