import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `brand`. */
export const brandErrors = {
  BRAND_DAY: { status: 422, message: 'The change can’t begin then. {why}' },
  BRAND_FIXED: { status: 409, message: '{values} can’t be changed here: fixed by the profile' },
  BRAND_MOVED: {
    status: 409,
    message:
      '{value} was “{before}” when this change was prepared, and is “{now}” before it begins. Prepare the change again to see it on pages',
  },
  BRAND_ENDED: { status: 409, message: 'The change can’t be {act}: {why}' },
} as const satisfies ErrorRows;
