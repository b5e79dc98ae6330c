import { instantAfter, MINUTE_MS } from '@portal/contract/days';
import * as z from 'zod';
import { deviceOf } from '../sign-in/devices.ts';

/** What a task that answers a request by mail is given: which link was asked for, and as whom to write. */
export const LinkMailInput = z.object({
  linkId: z.string(),
  appUrl: z.string(),
  /** `MyRegistry`. */
  product: z.string(),
});

/** How long the links of registrations and new passwords work. */
export const LINK_MINUTES = 30;
/** Attempts to write such a mail, in about two minutes; later the person has asked again. */
export const LINK_MAIL_ATTEMPTS = 6;

/** Where something was asked for from, kept with the link for the mail. */
export const AskedFrom = z.object({ address: z.string(), userAgent: z.string().nullable() });
export type AskedFrom = z.infer<typeof AskedFrom>;

/** An instant (ISO 8601) as mails say it: `2026-11-21 10:59 UTC`. */
const utcWords = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

/** When and from where something was asked for, a fact a line. */
export const askedWords = (askedAt: string, { address, userAgent }: AskedFrom): string =>
  [`When: ${utcWords(askedAt)}`, `Address: ${address}`, `Device: ${deviceOf(userAgent)}`].join('\n');

/** How long a link that is made now works, in words. */
export const deadlineWords = (now: string): string =>
  `The link works once, for ${LINK_MINUTES} minutes: until ${utcWords(instantAfter(now, LINK_MINUTES * MINUTE_MS))}.`;
