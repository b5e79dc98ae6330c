import * as z from 'zod/mini';
import { largestWhole } from '../whole-numbers.ts';
import { contact, endpoint, group } from '../endpoint.ts';
import { whoisClasses } from '../whois/whois.ts';

/** One line of the publication receipt: a place where others read whois objects, as it itself answers at this moment. */
export const PublicationPlace = z.object({
  /** Stable: `journal`, `whois`, `irr`, `rdap`, `mirrors`, and what other parts of the registry add. */
  place: z.string(),
  /** Display name. */
  name: z.string(),
  /** `done`: the place serves this version or a newer one; `elsewhere`: another process serves it, which was not asked. */
  state: z.enum(['done', 'waiting', 'elsewhere']),
  /** The query that was sent, so that it can be repeated. */
  query: z.nullable(z.string()),
  /** The query is the path of a page that shows the answer. */
  opens: z.boolean(),
  /** Current content at the place, in words. */
  answer: z.string(),
});
export type PublicationPlace = z.infer<typeof PublicationPlace>;

export const whoisPublication = group('publication', {
  getPublication: endpoint({
    method: 'GET',
    path: '/api/:account/whois/publication',
    summary: 'Whether a version of a whois object is seen on port 43, in the IRR protocol, RDAP and the files for mirrors: each is asked.',
    access: contact,
    query: z.object({
      class: z.enum(whoisClasses),
      key: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)),
      version: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(largestWhole)),
    }),
    answer: z.object({ serial: z.int(), at: z.iso.datetime(), places: z.array(PublicationPlace) }),
    errors: ['NOT_FOUND'],
  }),
});
