import * as z from 'zod/mini';
import { serviceNames } from '../service-names.ts';

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

/** How far an incident or planned work is, as its updates say, in the order in which that usually goes. */
export const stages = {
  begun: 'Under way',
  investigating: 'Investigating',
  found: 'Cause found',
  watching: 'Fixed, being watched',
  over: 'Over',
} as const;
export type Stage = keyof typeof stages;
export const stageNames = Object.keys(stages) as [Stage, ...Stage[]];

/** Stages that an update of an announcement may have, by its category; of others than these there are no updates. */
export const stagesOf: Partial<Record<AnnouncementCategory, readonly [Stage, ...Stage[]]>> = {
  service: ['investigating', 'found', 'watching', 'over'],
  security: ['investigating', 'found', 'watching', 'over'],
  maintenance: ['begun', 'watching', 'over'],
};

/** News of an incident or of planned work after it was announced. */
export const AnnouncementUpdate = z.object({ stage: z.enum(stageNames), text: z.string(), at: z.iso.datetime() });
export type AnnouncementUpdate = z.infer<typeof AnnouncementUpdate>;

/** When an incident or planned work happens, what it is about, and what became known since, the newest first. */
const happens = {
  happensFrom: z.nullable(z.iso.datetime()),
  happensUntil: z.nullable(z.iso.datetime()),
  /** Services that it affects. */
  services: z.array(z.enum(serviceNames)),
  /** Prefixes and AS numbers that it is about, for every reader. */
  concerns: z.array(z.string()),
  updates: z.array(AnnouncementUpdate),
};

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
  ...happens,
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
  ...happens,
  withdrawReason: z.string(),
  /** Number of addresses without a login that chose one of its services on the status page. */
  subscribers: z.int(),
  /** Number of people who should see it now, and of those who acknowledged it. */
  people: z.int(),
  acknowledged: z.int(),
  /** Accounts whose resources are affected; empty for other audiences. */
  accounts: z.array(z.string()),
});
export type StaffAnnouncement = z.infer<typeof StaffAnnouncement>;
