export { type Answer } from './answer.ts';
export { ArchiveReader, type ArchiveRecord, printArchiveHeader } from './archive.ts';
export {
  type Ballot,
  type BallotOpening,
  checkBallot,
  createBallot,
  maxBallotLength,
  opens,
  readBallot,
  trackerOf,
  verifyBallot,
} from './ballot.ts';
export { type Certificate, type CertificateKeys, createCertificate, newSeed } from './certificate.ts';
export { isCredential, newCredential, publicOf, secretOf } from './credential.ts';
export { type CredentialList, printCredentialList, readCredentialList } from './credential-list.ts';
export { type Election, type ElectionParameters, isElectionId, newElectionId, printElection, readElection } from './election.ts';
export { appendEvent, type Event, type EventType, type Tip } from './event.ts';
export { generator, GROUP, isElement, order } from './group.ts';
export { hexHash, jsonHash } from './hash.ts';
export { parseJson } from './json.ts';
export { type KeyInput, keyInputJson, readKeyInput, routePolynomials, verifyPolynomial } from './key-input.ts';
export { createShare, type KeyShare, keyShareJson, openShare, readKeyShare, verifyShare } from './key-share.ts';
export { modulus } from './modulus.ts';
export { openedHolds, type OpenedBallot, printOpenedBallot } from './opened-ballot.ts';
export {
  decryptPartly,
  type PartialDecryption,
  printPartialDecryption,
  readPartialDecryption,
  verifyPartialDecryption,
} from './partial-decryption.ts';
export { createPolynomial, type PolynomialMessage, polynomialJson, readPolynomial } from './polynomial.ts';
export { bigintPowers, type Powers } from './powers.ts';
export { candidateQuestion, choicesOf, type Question, resolutionQuestion } from './question.ts';
export { type RandomBytes, systemRandom } from './random.ts';
export { readableWeights, type WeightClass } from './readable-weights.ts';
export { Refusal, type RefusalCode } from './refusal.ts';
export { combineResult, type ElectionResult, missingDecryptions, printResult } from './result.ts';
export { printSetup, type Setup, verifySetup } from './setup.ts';
export { readSignedMessage, signedMessageJson } from './signed-message.ts';
export { type EncryptedTally, printTally, readSizedTally, readTally, type SizedTally, TallyCount } from './tally.ts';
export { assembleThresholdKey, type ThresholdKey, verifyCertificates } from './threshold-key.ts';
export { createTrusteeKey, newPrivateKey, readTrusteeKey, type TrusteeKey, trusteeKeyJson } from './trustee-key.ts';
export { decryptionKeysOf, printTrustees, readTrustees, type Trustee, type Trustees, verifyTrustees } from './trustees.ts';
export { type Checks, type VerifiedArchive, verifyArchive } from './verification.ts';
export { rightKeyOf, votingRightOf } from './voting-right.ts';
