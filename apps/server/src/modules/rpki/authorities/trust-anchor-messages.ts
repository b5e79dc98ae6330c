import { parseHex } from '@portal/rpki-objects';
import * as z from 'zod/mini';
import type { Authority } from './authorities.ts';
import type { Draft, Product } from '../drafts.ts';
import type { Places } from '../places.ts';

/** Stored in place of a sealed key if the trust anchor is on another machine. */
export const offlineMark = 'offline';

const Base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/));
const Hex = z.string().check(z.regex(/^[0-9a-f]+$/));
const places = z.object({ rsync: z.string(), notification: z.nullable(z.string()) });

/** Asks the offline trust anchor to certify the registry's key. Holds nothing secret. */
export const TrustAnchorRequest = z.object({
  kind: z.literal('trust-anchor-request'),
  registryName: z.string(),
  madeAt: z.iso.datetime(),
  places,
  /** SubjectPublicKeyInfo of the registry's authority, and the name of its directory. */
  registry: z.object({ handle: z.string(), publicKey: Base64 }),
  /** Number and time of the last manifest of the trust anchor; null before the first. */
  last: z.nullable(z.object({ number: z.int(), thisUpdate: z.iso.datetime() })),
});
export type TrustAnchorRequest = z.infer<typeof TrustAnchorRequest>;

const SignedFile = z.object({
  uri: z.string(),
  kind: z.enum(['trust-anchor', 'certificate', 'crl', 'manifest']),
  content: Base64,
  sha256: Hex,
  serial: z.nullable(Hex),
  modifiedAt: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  subject: z.string(),
});
/** The files that the trust anchor signed: its certificate, the registry's, its CRL and its manifest. */
export const TrustAnchorResponse = z.object({
  kind: z.literal('trust-anchor-response'),
  signedAt: z.iso.datetime(),
  places,
  publicKey: Base64,
  keyIdentifier: Hex,
  manifest: z.object({ number: z.int(), thisUpdate: z.iso.datetime(), nextUpdate: z.iso.datetime() }),
  files: z.array(SignedFile).check(z.length(4)),
});
export type TrustAnchorResponse = z.infer<typeof TrustAnchorResponse>;

/** The trust anchor as in its certificates: its directory always has the same name. */
export const offlineAuthority: Authority = {
  caId: 0,
  kind: 'trust-anchor',
  accountName: null,
  handle: 'ta',
  state: 'active',
  version: 0,
  enabledAt: '',
  rolloverRequestedAt: null,
  activationRequestedAt: null,
};

export const placesIn = ({ places: { rsync, notification } }: { places: Places }): Places => ({ rsync, notification });

/** Prints a signed file for the response. */
export const printFile = ({
  uri,
  kind,
  content,
  sha256,
  serial,
  modifiedAt,
  notAfter,
  subject,
}: Product): TrustAnchorResponse['files'][number] => ({
  uri,
  kind: kind as TrustAnchorResponse['files'][number]['kind'],
  content: Buffer.from(content).toString('base64'),
  sha256: Buffer.from(sha256).toString('hex'),
  serial,
  modifiedAt: modifiedAt.toISOString(),
  notAfter: notAfter.toISOString(),
  subject,
});

/** Reads it back. */
export const readFileOf = ({
  content,
  sha256,
  modifiedAt,
  notAfter,
  ...file
}: TrustAnchorResponse['files'][number]): Omit<Draft, 'toSign' | 'assemble' | 'notBefore'> & Pick<Product, 'content' | 'sha256'> => ({
  ...file,
  content: new Uint8Array(Buffer.from(content, 'base64')),
  sha256: parseHex(sha256),
  modifiedAt: new Date(modifiedAt),
  notAfter: new Date(notAfter),
  roaIds: [],
});
