import * as z from 'zod/mini';

export const announcementCategories = {
  service: 'Service',
  maintenance: 'Maintenance',
  election: 'Elections',
  fees: 'Fees',
  policy: 'Policy',
  event: 'Events',
  security: 'Security',
} as const;
export type AnnouncementCategory = keyof typeof announcementCategories;
export const announcementCategoryNames = Object.keys(announcementCategories) as [AnnouncementCategory, ...AnnouncementCategory[]];

/** How much it matters. From `WARNING` on it is a banner on every page. */
export const severities = { info: 'Information', warning: 'Warning', critical: 'Critical' } as const;
export type Severity = keyof typeof severities;
export const severityNames = Object.keys(severities) as [Severity, ...Severity[]];

/** Who an announcement is for. Only those for everyone are in the public feeds. */
export const audiences = {
  all: 'Everyone, also in the public feeds',
  members: 'Contacts of members',
  nirs: 'Contacts of national registries',
  corporate: 'Corporate contacts',
  resources: 'Contacts of accounts whose resources are affected',
} as const;
export type Audience = keyof typeof audiences;
export const audienceNames = Object.keys(audiences) as [Audience, ...Audience[]];

/** Kinds of resources that an announcement can be aimed at. */
export const affectedKinds = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' } as const;
export type AffectedKind = keyof typeof affectedKinds;
export const affectedKindNames = Object.keys(affectedKinds) as [AffectedKind, ...AffectedKind[]];

/** An announcement as its readers see it. */
export const Announcement = z.object({
  announcementId: z.string(),
  category: z.enum(announcementCategoryNames),
  severity: z.enum(severityNames),
  title: z.string(),
  /** Paragraphs, separated by empty lines. */
  body: z.string(),
  publishedAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  /** It has not ended yet. */
  current: z.boolean(),
  requiresAck: z.boolean(),
  /** When the reader acknowledged it, or dismissed its banner. */
  acknowledgedAt: z.nullable(z.iso.datetime()),
  /** The selected account holds resources it is about. */
  affects: z.array(z.string()),
});
export type Announcement = z.infer<typeof Announcement>;

/** An announcement as registry staff see it. */
export const StaffAnnouncement = z.object({
  announcementId: z.string(),
  // Repeated here because the shell loads this file: `rowVersion` would pull in the schema library.
  version: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
  state: z.enum(['draft', 'scheduled', 'published', 'ended', 'withdrawn']),
  category: z.enum(announcementCategoryNames),
  severity: z.enum(severityNames),
  title: z.string(),
  body: z.string(),
  audience: z.enum(audienceNames),
  resources: z.array(z.string()),
  /** ISO 3166 codes, and kinds of resources; empty: any. */
  economies: z.array(z.string()),
  kinds: z.array(z.enum(affectedKindNames)),
  requiresAck: z.boolean(),
  publishAt: z.nullable(z.iso.datetime()),
  expiresAt: z.nullable(z.iso.datetime()),
  /** When the work or the incident happens, and which numbers it is about. */
  happensFrom: z.nullable(z.iso.datetime()),
  happensUntil: z.nullable(z.iso.datetime()),
  concerns: z.array(z.string()),
  withdrawReason: z.string(),
  /** Number of people who should see it now, and of those who acknowledged it. */
  people: z.int(),
  acknowledged: z.int(),
  /** Accounts whose resources are affected; empty for other audiences. */
  accounts: z.array(z.string()),
});
export type StaffAnnouncement = z.infer<typeof StaffAnnouncement>;
