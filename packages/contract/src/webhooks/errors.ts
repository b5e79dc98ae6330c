import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `webhooks`. */
export const webhookErrors = {
  TOO_MANY_WEBHOOKS: { status: 409, message: 'An account can have {most} webhooks. Remove one first' },
  WEBHOOK_LABEL_TAKEN: { status: 409, message: 'A webhook is already called {label}. Choose another label' },
  WEBHOOK_STOPPED: { status: 409, message: 'The webhook {label} doesn’t send at the moment. Turn it on first' },
} as const satisfies ErrorRows;
