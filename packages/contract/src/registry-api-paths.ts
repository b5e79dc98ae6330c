import type { PublicApi } from './endpoint.ts';

/** Where the registry API of this version begins. A breaking change gets another version beside this one. */
export const registryApiBase = '/registry-api/v1';

/** The address of a public endpoint, as the router reads it: `/registry-api/v1/:account/whois/objects`. */
export const registryApiPathOf = ({ path }: PublicApi): string => `${registryApiBase}/:account${path}`;
