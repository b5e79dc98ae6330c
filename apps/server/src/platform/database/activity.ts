import { newTraceId } from '@portal/contract/trace';
import type { WordedActivity } from '../activity-words.ts';

/** One line of the activity log: who changes something and why. */
export interface ActivityInfo {
  /** Which call or task, such as `contacts.resolveAccessRequest`. */
  action: string;
  /** Summary in a member's words: `Resolved an access request`. */
  summary: string;
  /** The trace id of the request (W3C Trace Context), 32 hexadecimal digits. */
  traceId: string;
  accountName?: string | null | undefined;
  /** The signed-in login, as the OpenID provider identifies it. */
  login?: { issuer: string; subject: string } | null | undefined;
  contactId?: string | null | undefined;
  /** Session id and authentication methods of the sign-in (OpenID Connect `sid`, `amr`). */
  sid?: string | null | undefined;
  amr?: readonly string[] | null | undefined;
  /** The caller's IP address. */
  address?: string | null | undefined;
  /** When it happened, if that was before it was recorded, such as in imported history. */
  happenedAt?: string;
}

/** The activity log line of a program that acts by its own schedule, not at a person's request. Its trace id is new. */
export const ownActivity = (action: WordedActivity, summary: string, accountName?: string | null): ActivityInfo => ({
  action,
  summary,
  traceId: newTraceId(),
  accountName,
});

/** The columns of a new row of `activity`. */
export function activityRow(activity: ActivityInfo, now: string) {
  return {
    happenedAt: activity.happenedAt ?? now,
    action: activity.action,
    summary: activity.summary,
    traceId: activity.traceId,
    accountName: activity.accountName ?? null,
    loginIssuer: activity.login?.issuer ?? null,
    loginSubject: activity.login?.subject ?? null,
    contactId: activity.contactId ?? null,
    sid: activity.sid ?? null,
    amr: activity.amr ? [...activity.amr] : null,
    address: activity.address ?? null,
  };
}
