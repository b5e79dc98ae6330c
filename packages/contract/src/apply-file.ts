import * as z from 'zod/mini';

/** Where the portal publishes the JSON Schema of the file, for editors. */
export const applySchemaPath = '/schemas/apply-v1.json';

const says = (words: string) => z.describe(words);
const text = (words: string, most = 200) => z.string().check(z.maxLength(most), says(words));
const Prefix = z
  .string()
  .check(
    z.regex(/^[0-9a-fA-F:.]+\/\d{1,3}$/, { error: 'Enter a prefix with its length, such as 192.0.2.0/24' }),
    says('A prefix with its length, such as 192.0.2.0/24.'),
  );
const AsNumber = z
  .string()
  .check(z.regex(/^AS\d{1,10}$/i, { error: 'Enter an AS number, such as AS64500' }), says('An AS number, such as AS64500.'));
const Handle = z
  .string()
  .check(z.regex(/^[A-Za-z0-9-]{2,40}$/, { error: 'Enter a handle, such as EN1-EX' }), says('Handle of a contact, such as EN1-EX.'));
const Length = z
  .int()
  .check(z.minimum(0), z.maximum(128), says('The most specific announcement that is authorised; the length of the prefix unless given.'));

const Route = z.strictObject({
  prefix: Prefix,
  origin: AsNumber,
  maxLength: z.optional(Length),
  roa: z.optional(z.boolean().check(says('Whether it has a ROA; true unless given.'))),
  routeObject: z.optional(z.boolean().check(says('Whether it has a route object; false unless given.'))),
  description: z.optional(text('The descr of its route object.')),
  maintainer: z.optional(text('The maintainer of its route object; the principal maintainer unless given.', 80)),
  comment: z.optional(text('A comment for colleagues.')),
  owner: z.optional(text('The person or team who answers for it.', 80)),
});

const Roa = z.strictObject({
  prefix: Prefix,
  origin: AsNumber,
  maxLength: z.optional(Length),
  comment: z.optional(text('A comment for colleagues.')),
});

const Aspa = z.strictObject({
  customer: AsNumber,
  providers: z
    .array(AsNumber)
    .check(
      z.minLength(1, { error: 'Enter at least one provider, or AS0 if the AS has none' }),
      z.maxLength(500),
      says('Its upstream providers; AS0 alone says that it has none.'),
    ),
  comment: z.optional(text('A comment for colleagues.')),
});

const Zone = z.strictObject({
  zone: z
    .string()
    .check(
      z.regex(/^[0-9a-f.]+\.(in-addr|ip6)\.arpa$/i, { error: 'Enter a reverse zone, such as 2.0.192.in-addr.arpa' }),
      says('Name of the zone, such as 2.0.192.in-addr.arpa.'),
    ),
  servers: z
    .array(text('A name server, with its address where it is inside the zone.', 300))
    // No limits here: the registry limits what changes, and existing data can always be described.
    .check(z.minLength(1, { error: 'Enter at least two name servers' }), z.maxLength(100)),
  ds: z.optional(
    z
      .array(text('A DS record: key tag, algorithm, digest type, digest.', 400))
      .check(z.maxLength(24), says('Its DS records; those that it has stay where this is left out, and an empty list takes them away.')),
  ),
  description: z.optional(text('The descr of its domain object.')),
  adminC: z.optional(Handle),
  techC: z.optional(Handle),
  zoneC: z.optional(Handle),
  maintainer: z.optional(text('Needed for a new zone.', 80)),
});

const Lines = (words: string) => z.array(text(words, 300)).check(z.minLength(1, { error: 'Enter at least one' }), z.maxLength(20));
const Contact = z.strictObject({
  class: z.enum(['role', 'person']).check(says('A role is a team, a person is one person.')),
  name: text('Its name. A contact without a handle is found by it.', 200),
  handle: z.optional(Handle),
  address: z.optional(Lines('A line of the postal address. Needed for a new contact.')),
  country: z.optional(
    z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter country code, such as AU' }), says('Two letters, such as AU.')),
  ),
  phone: z.optional(Lines('Such as +61 7 5550 0123. Needed for a new contact.')),
  email: z.optional(Lines('An e-mail address. Needed for a new contact.')),
  adminC: z.optional(z.array(Handle)),
  techC: z.optional(z.array(Handle)),
  remarks: z.optional(z.array(text('A line of remarks.', 300))),
  maintainer: z.optional(text('Needed for a new contact.', 80)),
});

/** The file that `registry apply` makes the registry equal to. A section that is left out is not changed; an empty one removes everything. */
export const ApplyFile = z.strictObject({
  version: z.literal(1).check(says('Version of this format.')),
  account: z.optional(text('The account it is for, such as EXAMPLE-AU: a safeguard against the wrong key.', 40)),
  contacts: z.optional(z.array(Contact).check(z.maxLength(500), says('Person and role objects in whois.'))),
  reverseZones: z.optional(z.array(Zone).check(z.maxLength(10_000), says('Delegated reverse zones.'))),
  aspas: z.optional(z.array(Aspa).check(z.maxLength(500), says('Upstream providers of your AS numbers (ASPA).'))),
  routes: z.optional(z.array(Route).check(z.maxLength(5_000), says('Announcements, with their ROAs and route objects.'))),
  roas: z.optional(z.array(Roa).check(z.maxLength(1_000), says('ROAs that belong to no route.'))),
});
export type ApplyFile = z.infer<typeof ApplyFile>;

/** Returns the JSON Schema (2020-12) of the file. */
export function applyFileSchema(url: string): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ApplyFile, { io: 'input' });
  return { $schema, $id: `${url}${applySchemaPath}`, title: 'File of registry apply, version 1', ...schema };
}
