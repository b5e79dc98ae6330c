import * as z from 'zod/mini';
import { oneLine } from '../one-line.ts';
import { serviceNames } from '../service-names.ts';
import { severalLines } from '../several-lines.ts';
import { affectedKindNames, announcementCategoryNames, audienceNames, severityNames } from './announcement-shapes.ts';

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
    /** Prefixes, ranges and AS numbers. Accounts are affected if a resource of theirs meets all that is filled in. */
    resources: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200, { error: 'Enter at most 200 resources' })),
    /** ISO 3166 codes of economies that resources are registered under. */
    economies: z.array(z.string().check(z.trim(), z.toUpperCase(), z.maxLength(40))).check(
      z.maxLength(300, { error: 'Enter at most 300 economies' }),
      z.refine(codes => codes.every(code => /^[A-Z]{2}$/.test(code)), { error: 'Enter two-letter economy codes, such as AU, NZ' }),
    ),
    kinds: z.array(z.enum(affectedKindNames)).check(z.maxLength(affectedKindNames.length)),
    requiresAck: z.boolean(),
    /** Null: it stays a draft. */
    publishAt: z.nullable(Instant),
    expiresAt: z.nullable(Instant),
    /** When the work or the incident happens, as the status page shows it. Absent, as in what an older page sends, these stay as they were. */
    happensFrom: z.optional(z.nullable(Instant)),
    happensUntil: z.optional(z.nullable(Instant)),
    /** Services that it affects, as the status page lists them. */
    services: z.optional(z.array(z.enum(serviceNames)).check(z.maxLength(serviceNames.length))),
    /** Prefixes, ranges and AS numbers that it is about, for everyone who reads it. */
    concerns: z.optional(
      z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50, { error: 'Enter at most 50 prefixes and AS numbers' })),
    ),
  })
  .check(
    z.superRefine(({ audience, resources, economies, kinds, publishAt, expiresAt, happensFrom, happensUntil }, context) => {
      const problem = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      const aims = resources.length + economies.length + kinds.length;
      if (audience === 'resources' && aims === 0) problem('resources', 'Enter at least one prefix, AS number, economy or kind of resource');
      if (audience !== 'resources' && aims > 0) problem('resources', 'Only the audience of affected accounts takes resources');
      if (publishAt !== null && expiresAt !== null && Date.parse(expiresAt) <= Date.parse(publishAt))
        problem('expiresAt', 'It must end after it is published');
      if (happensUntil != null && happensFrom == null) problem('happensFrom', 'Enter when it begins, too');
      else if (happensUntil != null && Date.parse(happensUntil) <= Date.parse(happensFrom!))
        problem('happensUntil', 'It must end after it begins');
    }),
  );
export type AnnouncementValues = z.infer<typeof AnnouncementValues>;
