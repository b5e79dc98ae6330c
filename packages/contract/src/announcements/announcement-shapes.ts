import * as z from 'zod/mini';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';

export const announcementCategories = {
  SERVICE: 'Service',
  MAINTENANCE: 'Maintenance',
  ELECTION: 'Elections',
  FEES: 'Fees',
  POLICY: 'Policy',
  EVENT: 'Events',
  SECURITY: 'Security',
} as const;
export type AnnouncementCategory = keyof typeof announcementCategories;
export const announcementCategoryNames = Object.keys(announcementCategories) as [AnnouncementCategory, ...AnnouncementCategory[]];

/** How much it matters. From `WARNING` on it is a banner on every page. */
export const severities = { INFO: 'Information', WARNING: 'Warning', CRITICAL: 'Critical' } as const;
export type Severity = keyof typeof severities;
export const severityNames = Object.keys(severities) as [Severity, ...Severity[]];

/** Who an announcement is for. Only those for everybody are in the public feeds. */
export const audiences = {
  ALL: 'Everybody, also in the public feeds',
  MEMBERS: 'Contacts of members',
  NIRS: 'Contacts of national registries',
  CORPORATE: 'Corporate contacts',
  RESOURCES: 'Contacts of accounts whose resources are affected',
} as const;
export type Audience = keyof typeof audiences;
export const audienceNames = Object.keys(audiences) as [Audience, ...Audience[]];

const problem = 'Enter a date and time with offset, such as 2027-02-16T14:00:00+10:00';
/** ISO 8601 has a year 0; databases begin with the year 1. */
const Instant = z.string().check(z.iso.datetime({ offset: true, error: problem }), z.regex(/^(?!0000)/, { error: problem }));

/** An announcement as registry staff write it. */
export const AnnouncementValues = z
  .object({
    category: z.enum(announcementCategoryNames),
    severity: z.enum(severityNames),
    title: oneLine(200, 3, 'Enter a title of at least 3 characters'),
    body: severalLines(10_000, 3),
    audience: z.enum(audienceNames),
    /** Prefixes, ranges and AS numbers. */
    resources: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200, { error: 'Enter at most 200 resources' })),
    requiresAck: z.boolean(),
    /** Null: it stays a draft. */
    publishAt: z.nullable(Instant),
    expiresAt: z.nullable(Instant),
  })
  .check(
    z.superRefine(({ audience, resources, publishAt, expiresAt }, context) => {
      const problem = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      if (audience === 'RESOURCES' && resources.length === 0) problem('resources', 'Enter at least one prefix or AS number');
      if (audience !== 'RESOURCES' && resources.length > 0) problem('resources', 'Only the audience of affected accounts takes resources');
      if (publishAt !== null && expiresAt !== null && Date.parse(expiresAt) <= Date.parse(publishAt))
        problem('expiresAt', 'It must end after it is published');
    }),
  );
export type AnnouncementValues = z.infer<typeof AnnouncementValues>;

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
  /** When the reader acknowledged it, or put its banner away. */
  acknowledgedAt: z.nullable(z.iso.datetime()),
  /** The selected account holds resources it is about. */
  affects: z.array(z.string()),
});
export type Announcement = z.infer<typeof Announcement>;

/** An announcement as registry staff see it. */
export const StaffAnnouncement = z.object({
  announcementId: z.string(),
  version: z.int(),
  state: z.enum(['DRAFT', 'SCHEDULED', 'PUBLISHED', 'ENDED', 'WITHDRAWN']),
  category: z.enum(announcementCategoryNames),
  severity: z.enum(severityNames),
  title: z.string(),
  body: z.string(),
  audience: z.enum(audienceNames),
  resources: z.array(z.string()),
  requiresAck: z.boolean(),
  publishAt: z.nullable(z.iso.datetime()),
  expiresAt: z.nullable(z.iso.datetime()),
  withdrawReason: z.string(),
  /** People who are to see it now, and who acknowledged it. */
  people: z.int(),
  acknowledged: z.int(),
  /** Accounts whose resources are affected; empty for other audiences. */
  accounts: z.array(z.string()),
});
export type StaffAnnouncement = z.infer<typeof StaffAnnouncement>;
