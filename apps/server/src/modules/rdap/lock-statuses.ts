/**
 * Returns statuses of RFC 9083, section 10.2.2: `transfer prohibited` and `delete prohibited` for a delegation that its holder locked against transfer and
 * return, `locked` for what lies in a part that a request moves, once nothing over it changes any more.
 */
export const lockStatuses = ({ locked, moving }: { locked?: boolean | null; moving?: boolean | null }): string[] => [
  ...(locked ? ['transfer prohibited', 'delete prohibited'] : []),
  ...(moving ? ['locked'] : []),
];
