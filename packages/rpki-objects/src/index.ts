export { type Aspa, aspaProblem, decodeAspa, encodeAspa } from './aspa.ts';
export { equalBytes, parseBase64, parseHex, printBase64, printBase64Url, printHex } from './bytes.ts';
export {
  type AuthorityCertificate,
  type Certificate,
  type CertificateKind,
  type Decoded,
  decodeCertificate,
  encodeCertificate,
  encodeCertificateToBeSigned,
} from './certificate.ts';
export { type CheckedFile, type Checklist, checklistFileName, checklistProblem, decodeChecklist, encodeChecklist } from './checklist.ts';
export { decodeCrl, encodeCrlToBeSigned, type RevocationList } from './crl.ts';
export { DerReader } from './der-reader.ts';
export { decodeManifest, encodeManifest, type Manifest } from './manifest.ts';
export { ProfileError } from './profile-error.ts';
export {
  authoritiesInTurn,
  type FileFacts,
  memoryKey,
  namesListedIn,
  readFile,
  validateAuthority,
  validatingAuthority,
  validateChecklist,
  type ValidationResult,
  validateRepository,
  validateTrustAnchor,
  type PublishedFile,
  type PublishedFiles,
  type Vrp,
} from './relying-party.ts';
export { allResources, type CertifiedResources } from './resources.ts';
export { decodeRoa, encodeRoa, type Roa, type RoaPrefix } from './roa.ts';
export { assembleSigned, type Cryptography, decodePublicKey, keyIdOf } from './signed.ts';
export {
  checkSignedObject,
  decodeSignedObject,
  encodeSignedAttributes,
  encodeSignedObject,
  type ObjectType,
  type SignedObject,
} from './signed-object.ts';
export { parseTal, printTal, type TrustAnchorLocator } from './trust-anchor-locator.ts';
export { type CertificateRequest, decodeCertificateRequest } from './certificate-request.ts';
export {
  decodeIdentity,
  decodeIdentityAnchor,
  encodeIdentityToBeSigned,
  type IdentityCertificate,
  type NewIdentity,
} from './identity-certificate.ts';
export { checkMessage, decodeMessage, encodeMessage, encodeMessageAttributes, type ProtocolMessage } from './protocol-message.ts';
export {
  parseProvisioning,
  printIssueResponse,
  printListResponse,
  printProvisioningError,
  printRevokeResponse,
  ProvisioningError,
  type ProvisioningQuery,
  type RequestedResources,
  type ResourceClass,
} from './provisioning.ts';
export {
  parsePublication,
  printPublicationErrors,
  printPublished,
  printSuccess,
  type PublicationError,
  type PublicationQuery,
} from './publication-protocol.ts';
export {
  type Introduction,
  parseChildRequest,
  parsePublisherRequest,
  printParentResponse,
  printRepositoryResponse,
} from './setup-messages.ts';
