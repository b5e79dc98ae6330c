import { asciiOf, DerReader } from './der-reader.ts';
import { integer, tags } from './der-writer.ts';
import { oids } from './object-identifiers.ts';
import { ProfileError } from './profile-error.ts';
import { type Cryptography, readExactly, readPublicKey, readSigned } from './signed.ts';

/** Parts of a certificate request that count: the key, and where its CA will publish (RFC 6487, section 6). */
export type CertificateRequest = { publicKey: Uint8Array; repositoryUri: string; manifestUri: string; notificationUri: string | null };

/**
 * Parses a PKCS#10 request for a resource certificate and checks that its key signed it (RFC 6487, section 6.1). Whatever else it asks for is not honoured.
 * @throws {ProfileError}
 */
export function decodeCertificateRequest(bytes: Uint8Array, cryptography: Cryptography): CertificateRequest {
  const { toBeSigned, body, signature } = readSigned(bytes, 'The certificate request');
  readExactly(body, integer(0), 'The version of the certificate request');
  body.one(tags.sequence, 'subject');
  const publicKey = readPublicKey(body);
  const attributes = body.inside(tags.context(0), 'attributes');
  body.end();
  if (!cryptography.verifies(publicKey, toBeSigned, signature))
    throw new ProfileError('The certificate request is not signed with its own key');
  const uris = new Map<string, string[]>();
  while (!attributes.atEnd) {
    const attribute = attributes.sequence('attribute');
    if (attribute.oid('attribute') !== oids.extensionRequest) continue;
    const extensions = attribute.inside(tags.set, 'requested extensions').sequence('requested extensions');
    while (!extensions.atEnd) {
      const extension = extensions.sequence('extension');
      const id = extension.oid('extension');
      extension.maybe(tags.boolean, 'criticality');
      const value = extension.octets('extension');
      if (id === oids.subjectInformationAccess) readLocations(value, uris);
    }
  }
  const first = (method: string, scheme: string): string | undefined => uris.get(method)?.find(uri => uri.startsWith(scheme));
  const repositoryUri = first(oids.caRepository, 'rsync://');
  const manifestUri = first(oids.rpkiManifest, 'rsync://');
  if (repositoryUri === undefined || manifestUri === undefined)
    throw new ProfileError('The certificate request does not say where its CA publishes, at an rsync address');
  return { publicKey, repositoryUri, manifestUri, notificationUri: first(oids.rpkiNotify, 'https://') ?? null };
}

function readLocations(value: Uint8Array, uris: Map<string, string[]>): void {
  const list = new DerReader(value, 'The subject access').sequence('subject access');
  while (!list.atEnd) {
    const one = list.sequence('access description');
    const method = one.oid('access method');
    const uri = asciiOf(one.one(tags.contextPrimitive(6), 'address').content, 'The address');
    uris.set(method, [...(uris.get(method) ?? []), uri]);
  }
}
