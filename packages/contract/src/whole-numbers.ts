import * as z from 'zod/mini';

/** The largest whole number that columns of versions, counts and places have (int4 of PostgreSQL). */
export const largestWhole = 2_147_483_647;

/** The version of something that is changed, which grows by one with each change; 0 for what isn’t kept yet. */
export const rowVersion = z.int().check(z.minimum(0), z.maximum(largestWhole));

/** The version of a request, which of an offer covers its plan: compared as it is, and in no column. */
export const caseVersion = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

/** A count, typed or computed by the caller. */
export const wholeCount = z.int().check(z.minimum(0), z.maximum(largestWhole));

/** The longest prefix of an announcement, in bits. */
export const prefixLength = z.int().check(z.minimum(0), z.maximum(128));

/** How many entries of a list to skip, in a query. */
export const listOffset = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(largestWhole)), 0);

/** The id of the entry after which a list continues, in a query. */
export const listedId = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));
