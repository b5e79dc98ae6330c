/** Statuses of RFC 9083, section 10.2.2, for a delegation that its holder locked against transfer and return. */
export const lockStatuses = ({ locked }: { locked?: boolean | null }): string[] =>
  locked ? ['transfer prohibited', 'delete prohibited'] : [];
