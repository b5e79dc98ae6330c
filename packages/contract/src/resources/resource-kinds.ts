import * as z from 'zod/mini';

export const resourceKinds = ['ipv4', 'ipv6', 'asn'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** A whole number of addresses or AS numbers, in decimal: IPv6 counts do not fit a JSON number. */
export const Quantity = z.string().check(z.regex(/^\d+$/));

/** Totals of one kind of number resource in an account. */
export const KindTotals = z.object({
  kind: z.enum(resourceKinds),
  delegations: z.int(),
  size: Quantity,
  used: Quantity,
  registrations: z.int(),
  lastDelegatedOn: z.nullable(z.iso.date()),
});
export type KindTotals = z.infer<typeof KindTotals>;
