import { instantAfter, MINUTE_MS } from '@portal/contract/days';
import * as z from 'zod';
import { deviceOf } from './devices.ts';

/** Input of a task that answers a request by mail: the requested link, and the sender. */
export const LinkMailInput = z.object({
  linkId: z.string(),
  appUrl: z.string(),
  /** `MyRegistry`. */
  product: z.string(),
});

/** Validity of the links of registrations and new passwords. */
export const LINK_MINUTES = 30;
/** Attempts to send such a mail, within about two minutes; later the person will have asked again. */
export const LINK_MAIL_ATTEMPTS = 6;

/** Address and browser of a request, stored with the link for the mail. */
export const AskedFrom = z.object({ address: z.string(), userAgent: z.string().nullable() });
export type AskedFrom = z.infer<typeof AskedFrom>;

/** An instant (ISO 8601) as mails say it: `2026-11-21 10:59 UTC`. */
const utcWords = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

/** Returns when and from where a request was made, one fact a line. */
export const askedWords = (askedAt: string, { address, userAgent }: AskedFrom): string =>
  [`When: ${utcWords(askedAt)}`, `Address: ${address}`, `Device: ${deviceOf(userAgent)}`].join('\n');

/** Returns, in words, when a link created now expires. */
export const deadlineWords = (now: string): string =>
  `The link works once, for ${LINK_MINUTES} minutes (until ${utcWords(instantAfter(now, LINK_MINUTES * MINUTE_MS))}).`;
