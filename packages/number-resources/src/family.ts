/** Address families, as the registries' statistics files and RFC 9083 name IP versions in one word. */
export type AddressFamily = 'ipv4' | 'ipv6';

/** Families of number resources (RFC 7249). AS numbers are family 18 of the IANA address family numbers, hence one word for all three. */
export type ResourceFamily = AddressFamily | 'asn';

/** Length of an address in bits: 32 or 128. */
export function addressBits(family: AddressFamily): 32 | 128 {
  return family === 'ipv4' ? 32 : 128;
}

/** The family's name as a member reads it. */
export function familyName(family: ResourceFamily): string {
  return family === 'ipv4' ? 'IPv4' : family === 'ipv6' ? 'IPv6' : 'AS number';
}
