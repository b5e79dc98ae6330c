import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `policy`. */
export const policyErrors = {
  POLICY_DAY: { status: 422, message: 'The change can’t begin then. {why}' },
  POLICY_FIXED: { status: 409, message: '{values} can’t be changed here: the registry’s profile file fixes them' },
  POLICY_TAKEN: {
    status: 409,
    message: '{value} was changed for {day} already, by {who}. Look at that change; withdraw it first, or choose another day',
  },
  POLICY_MOVED: {
    status: 409,
    message:
      '{value} was {before} when this change was prepared, and is now {now} before its day. Prepare the change again to see its effect',
  },
  POLICY_FOLLOWED: {
    status: 409,
    message: '{value} changes on {day} too, and that was confirmed with {before} until then. Withdraw it first, or choose a later day',
  },
  POLICY_ENDED: { status: 409, message: 'The change can’t be {act}: {why}' },
} as const satisfies ErrorRows;
