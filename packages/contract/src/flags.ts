/** Feature flags (specification, section 3): key in the answer of GET /api/feature-flags, name in the portal, what hangs on it. */
export const flags = {
  renewalquote: { name: 'enableRenewalQuote', gates: 'renewal quotes in billing' },
  contactmanagement: { name: 'enableContactManagement', gates: 'adding, changing and removing contacts' },
} as const;
export type Flag = keyof typeof flags;
