import type { Profile } from '../../profile.ts';
import { type Announcement, announcementCategories } from '@portal/contract/announcements/announcement-shapes';
import { refuse } from '../../platform/failure.ts';
import { html } from '../../platform/http/html.ts';
import type { AnsweringContext, Module } from '../../platform/module.ts';
import { readOwnFeed } from './own-feeds.ts';
import { publicAnnouncements } from './public-announcements.ts';

type Pages = Parameters<NonNullable<Module['pages']>['serve']>[0];
type Options = Pick<AnsweringContext, 'db' | 'dbForQuestion'> & { appUrl: string; profile: Profile; clock: () => Date };
type Entry = Pick<Announcement, 'announcementId' | 'category' | 'severity' | 'title' | 'body' | 'publishedAt'> &
  Partial<Pick<Announcement, 'affects'>>;

/** Number of announcements in a feed. */
const MAX_ENTRIES = 50;

/** Characters that XML 1.0 cannot hold. */
const inXml = (text: string): string => text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');

type Feed = { id: string; title: string; address: string; rows: readonly Entry[] };

/**
 * `/feeds/announcements.atom` (RFC 4287) and `/feeds/announcements.json` (JSON Feed 1.1): announcements for everybody. Both are public. The same for one person at
 * `/feeds/own/<secret>.atom` and `.json`: all that the person reads in the portal, for anyone who knows the address.
 */
export function announcementFeeds(http: Pages, { db, dbForQuestion, appUrl, profile, clock }: Options): void {
  const forEverybody = (): Promise<Entry[]> => publicAnnouncements(dbForQuestion().read, { now: clock(), limit: MAX_ENTRIES });
  const idOf = ({ announcementId }: Entry): string => `${appUrl}/announcements?announcement=${announcementId}`;
  const formats = {
    atom: {
      type: 'application/atom+xml; charset=utf-8',
      textOf: ({ id, title, address, rows }: Feed) => {
        const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><id>${id}</id><title>${title}</title>
<updated>${rows[0]?.publishedAt ?? '1970-01-01T00:00:00Z'}</updated><author><name>${profile.registryName}</name></author>
<link rel="self" type="application/atom+xml" href="${address}"/><link rel="alternate" type="text/html" href="${appUrl}/announcements"/>
${rows.map(
  row => html`<entry><id>${idOf(row)}</id><title>${inXml(row.title)}</title><updated>${row.publishedAt}</updated><published>${row.publishedAt}</published>
<link rel="alternate" type="text/html" href="${idOf(row)}"/><category term="${announcementCategories[row.category]}"/>
<content type="text">${inXml(textOf(row))}</content></entry>
`,
)}</feed>`;
        return `<?xml version="1.0" encoding="utf-8"?>\n${feed.markup}\n`;
      },
    },
    json: {
      type: 'application/feed+json; charset=utf-8',
      textOf: ({ title, address, rows }: Feed) =>
        JSON.stringify({
          version: 'https://jsonfeed.org/version/1.1',
          title,
          home_page_url: `${appUrl}/announcements`,
          feed_url: address,
          language: 'en',
          authors: [{ name: profile.registryName }],
          items: rows.map(row => ({
            id: idOf(row),
            url: idOf(row),
            title: row.title,
            content_text: textOf(row),
            date_published: row.publishedAt,
            tags: [announcementCategories[row.category]],
          })),
        }),
    },
  } as const;

  for (const kind of ['atom', 'json'] as const)
    http.get(`/feeds/announcements.${kind}`, async (_request, reply) =>
      reply
        .type(formats[kind].type)
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .send(
          formats[kind].textOf({
            id: `${appUrl}/announcements`,
            title: `Announcements of ${profile.registryName}`,
            address: `${appUrl}/feeds/announcements.${kind}`,
            rows: await forEverybody(),
          }),
        ),
    );
  http.get('/feeds/own/:file', async (request, reply) => {
    const [, secret, kind] = /^([A-Za-z0-9_-]{32})\.(atom|json)$/.exec((request.params as { file: string }).file) ?? [];
    // At the primary: an address that was replaced, or whose login was disabled, answers nothing from then on.
    const rows = secret === undefined ? null : await readOwnFeed(db.read, secret, clock(), MAX_ENTRIES);
    if (rows === null) throw refuse('NOT_FOUND', { what: 'The feed' });
    const { type, textOf: write } = formats[kind as 'atom' | 'json'];
    return reply
      .type(type)
      .header('cache-control', 'private, max-age=300')
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .send(
        write({
          id: `${appUrl}/announcements?feed=own`,
          title: `Announcements of ${profile.registryName} for you`,
          address: `${appUrl}/feeds/own/${secret}.${kind}`,
          rows,
        }),
      );
  });
}

/** The text of an announcement, and which accounts of the reader it affects. */
const textOf = ({ body, affects = [] }: Entry): string => (affects.length > 0 ? `${body}\n\nAffects ${affects.join(', ')}.` : body);
