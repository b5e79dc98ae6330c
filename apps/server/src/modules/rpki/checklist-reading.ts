import { listResources, printResource } from '@portal/number-resources';
import {
  type AuthorityCertificate,
  type Decoded,
  decodeCertificate,
  decodeChecklist,
  decodeCrl,
  decodeSignedObject,
  printHex,
  ProfileError,
  validateChecklist,
} from '@portal/rpki-objects';
import { nodeCryptography } from './authorities/cryptography.ts';

/** Content of a checklist whose signer isn't verified yet (`signer`: the key identifier of its claimed issuer), or the reason why it can't be read. */
export type ReadChecklist =
  | {
      signer: string;
      resources: string[];
      files: { name: string | null; sha256: string }[];
      validFrom: string;
      validUntil: string;
    }
  | { problem: string };

/** Reads a checklist without verifying signatures. */
export function readSignedChecklist(bytes: Uint8Array): ReadChecklist {
  try {
    const { certificate, content } = decodeSignedObject(bytes, 'checklist');
    const checklist = decodeChecklist(content);
    return {
      signer: certificate.kind === 'trust-anchor' ? '' : printHex(certificate.authorityKeyId),
      resources: listResources(checklist.resources).map(printResource),
      files: checklist.files.map(({ name, sha256 }) => ({ name, sha256: printHex(sha256) })),
      validFrom: certificate.notBefore.toISOString(),
      validUntil: certificate.notAfter.toISOString(),
    };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { problem: error.message };
  }
}

/** A checklist with the certificate and the CRL of the key that signed it. `now` in ms. */
export type ChecklistBy = { bytes: Uint8Array; certificate: Uint8Array; crl: Uint8Array; crlUri: string; now: number };

/** Returns why a relying party would refuse a checklist; null if it wouldn't. */
export function checkSignedChecklist({ bytes, certificate, crl, crlUri, now }: ChecklistBy): string | null {
  try {
    const issuer = { certificate: decodeCertificate(certificate) as Decoded<AuthorityCertificate>, crl: decodeCrl(crl), crlUri };
    validateChecklist(bytes, issuer, { now: new Date(now), cryptography: nodeCryptography });
    return null;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.message;
  }
}
