/**
 * Returns statuses of RFC 9083, section 10.2.2: `transfer prohibited` and `delete prohibited` for a delegation that its holder locked against transfer and
 * return, or of a holder that registry staff restrained, which look the same on purpose; `locked` for numbers in a frozen part that a request moves.
 */
export const lockStatuses = ({ locked, moving }: { locked?: boolean | null; moving?: boolean | null }): string[] => [
  ...(locked ? ['transfer prohibited', 'delete prohibited'] : []),
  ...(moving ? ['locked'] : []),
];
