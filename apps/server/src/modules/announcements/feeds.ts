import { announcementCategories, type Announcement } from '@portal/contract/announcements/announcement-shapes';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { html } from '../../platform/html.ts';

type Pages = Parameters<NonNullable<Module['pages']>>[0];
type Options = { read: Read; appUrl: string; registryName: string; clock: () => Date };
type Entry = Pick<Announcement, 'announcementId' | 'category' | 'severity' | 'title' | 'body' | 'publishedAt'>;

/** How many announcements a feed has. */
const MAX_ENTRIES = 50;

/** Characters that XML 1.0 cannot hold. */
const inXml = (text: string): string => text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');

/** `/feeds/announcements.atom` (RFC 4287) and `/feeds/announcements.json` (JSON Feed 1.1): announcements for everybody. Both are public. */
export function announcementFeeds(http: Pages, { read, appUrl, registryName, clock }: Options): void {
  const title = `Announcements of ${registryName}`;
  const entries = (): Promise<Entry[]> =>
    read.rows<Entry>(sql`
      select announcement_id::text as announcement_id, category, severity, title, body, publish_at as published_at from announcement
      where audience = 'ALL' and withdrawn_at is null and publish_at <= ${clock().toISOString()}::timestamptz
      order by publish_at desc, announcement_id desc limit ${MAX_ENTRIES}`);
  const idOf = ({ announcementId }: Entry): string => `${appUrl}/announcements?announcement=${announcementId}`;

  http.get('/feeds/announcements.atom', async (_request, reply) => {
    const rows = await entries();
    const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><id>${appUrl}/announcements</id><title>${title}</title>
<updated>${rows[0]?.publishedAt ?? '1970-01-01T00:00:00Z'}</updated><author><name>${registryName}</name></author>
<link rel="self" type="application/atom+xml" href="${appUrl}/feeds/announcements.atom"/><link rel="alternate" type="text/html" href="${appUrl}/announcements"/>
${rows.map(
  row => html`<entry><id>${idOf(row)}</id><title>${inXml(row.title)}</title><updated>${row.publishedAt}</updated><published>${row.publishedAt}</published>
<link rel="alternate" type="text/html" href="${idOf(row)}"/><category term="${announcementCategories[row.category]}"/>
<content type="text">${inXml(row.body)}</content></entry>
`,
)}</feed>`;
    return reply
      .type('application/atom+xml; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(`<?xml version="1.0" encoding="utf-8"?>\n${feed.markup}\n`);
  });
  http.get('/feeds/announcements.json', async (_request, reply) =>
    reply
      .type('application/feed+json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(
        JSON.stringify({
          version: 'https://jsonfeed.org/version/1.1',
          title,
          home_page_url: `${appUrl}/announcements`,
          feed_url: `${appUrl}/feeds/announcements.json`,
          language: 'en',
          authors: [{ name: registryName }],
          items: (await entries()).map(row => ({
            id: idOf(row),
            url: idOf(row),
            title: row.title,
            content_text: row.body,
            date_published: row.publishedAt,
            tags: [announcementCategories[row.category]],
          })),
        }),
      ),
  );
}
