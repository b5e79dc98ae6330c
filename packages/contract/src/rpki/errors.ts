import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `rpki`. */
export const rpkiErrors = {
  RPKI_NOT_ENABLED: { status: 409, message: 'RPKI is not enabled for this account. Enable it first' },
  RPKI_ENABLED_ALREADY: { status: 409, message: 'RPKI is enabled for this account already' },
  RPKI_NO_RESOURCES: { status: 409, message: 'This account holds no number resources that can be certified' },
  ROA_COUNT_WRONG: { status: 409, message: 'This removes {count} ROAs. Enter that number to confirm' },
  ROLLOVER_UNDER_WAY: { status: 409, message: 'A key rollover is under way. The new key can be activated from {from} on' },
  ROLLOVER_TOO_EARLY: { status: 409, message: 'The new key can be activated from {from} on, when validators everywhere have seen it' },
  ROLLOVER_NOT_STARTED: { status: 409, message: 'No key rollover is under way' },
  SELF_HOSTED_ALREADY: { status: 409, message: 'A certificate authority of this account is connected already. Disconnect it first' },
  NOT_SELF_HOSTED: { status: 409, message: 'No certificate authority of this account is connected' },
  TRUST_ANCHOR_ONLINE: {
    status: 409,
    message: 'The trust anchor of this registry is online. It signs automatically, without request files',
  },
  TRUST_ANCHOR_NOT_SET_UP: {
    status: 409,
    message: 'The offline trust anchor hasn’t signed yet. Set it up at the command line: registry rpki ta init, request, sign and import',
  },
} as const satisfies ErrorRows;
