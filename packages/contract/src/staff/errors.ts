import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `staff`. */
export const staffErrors = {
  VISIT_NEEDED: {
    status: 403,
    message: 'Registry staff can view {account} only during a visit. Start one on the account’s page of the desk',
  },
  QUEUE_NAME_TAKEN: { status: 409, message: 'Someone else saved a queue as {name} already. Choose another name' },
  NO_SUCH_CASE: { status: 422, message: 'You see no case named {other}. Enter a reference such as REQ-7, or the number of a ticket' },
  TOO_MANY_REMINDERS: { status: 409, message: 'At most {most} reminders can be kept. Remove one that isn’t needed any more' },
  TOO_MANY_CASE_LINKS: { status: 409, message: 'A case can have at most {most} links. Remove one that isn’t needed any more' },
  TEMPLATE_TITLE_TAKEN: {
    status: 409,
    message: 'There is a reply template named {title} already. Choose another title, or change that one',
  },
  TOO_MANY_TEMPLATES: { status: 409, message: 'At most {most} reply templates can be kept. Delete one that isn’t used any more' },
  RISK_MARK_THERE: {
    status: 409,
    message: '{by} set the mark {title} already; it ends on {day}. Remove it first, or choose another title',
  },
  TOO_MANY_RISK_MARKS: {
    status: 409,
    message: '{account} has {most} risk marks, the most an account can have. Remove one that isn’t needed any more',
  },
  RISK_MARK_ENDED: { status: 409, message: 'The mark {title} isn’t in force any more: {why}' },
  VISIT_READS_ONLY: { status: 403, message: 'You’re viewing {account} as registry staff, read-only' },
} as const satisfies ErrorRows;
