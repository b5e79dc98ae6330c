import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '@portal/contract/days';
import {
  type AuthorityCertificate,
  type Decoded,
  decodeCertificate,
  decodePublicKey,
  validateAuthority,
  validateTrustAnchor,
  keyIdOf,
  printHex,
  type PublishedFile,
} from '@portal/rpki-objects';
import * as z from 'zod/mini';
import { isInFuture } from '../../../platform/clock-watch.ts';
import { nodeCryptography } from './cryptography.ts';
import {
  backdatedMs,
  certificateUri,
  draftCertificate,
  draftCrl,
  draftManifest,
  type OwnedKey,
  type Product,
  rootResources,
  signDrafts,
} from '../drafts.ts';
import type { CaSigner, MadeKey } from './signer.ts';
import { offlineAuthority, placesIn, printFile, type TrustAnchorRequest, type TrustAnchorResponse } from './trust-anchor-messages.ts';

/** A refusal, in one sentence. */
export class TrustAnchorRefused extends Error {}

const keyFile = 'trust-anchor-key.pem';
const stateFile = 'trust-anchor-state.json';

/** State of the offline machine between two signings: its numbers only grow, and what it replaced is on its CRL until it has ended. */
const State = z.object({
  number: z.int(),
  thisUpdate: z.nullable(z.iso.datetime()),
  /** Certificates in use: the registry's and that of the last manifest. */
  present: z.array(z.object({ serial: z.string(), notAfter: z.iso.datetime() })),
  revoked: z.array(z.object({ serial: z.string(), notAfter: z.iso.datetime(), revokedAt: z.iso.datetime() })),
});
type State = z.infer<typeof State>;

/**
 * Makes the key of a trust anchor in a folder, sealed with a passphrase. Returns its key identifier. @throws TrustAnchorRefused if there is one
 * already: relying parties know it, so it is never replaced
 */
export async function createOfflineTrustAnchor(folder: string, passphrase: string): Promise<string> {
  if (passphrase.length < 12) throw new TrustAnchorRefused('RPKI_TA_PASSPHRASE needs at least 12 characters.');
  if (existsSync(path.join(folder, keyFile))) throw new TrustAnchorRefused(`${folder} has the key of a trust anchor already.`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 65537 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  await writeFile(path.join(folder, keyFile), pem, { mode: 0o600, flag: 'wx' });
  await keepState(folder, { number: 0, thisUpdate: null, present: [], revoked: [] });
  return madeKeyOf(publicKey).keyIdentifier;
}

async function keepState(folder: string, state: State): Promise<void> {
  const file = path.join(folder, stateFile);
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function madeKeyOf(key: KeyObject): MadeKey {
  const publicKey = decodePublicKey(new Uint8Array(key.export({ type: 'spki', format: 'der' })));
  return { publicKey, keyIdentifier: printHex(keyIdOf(publicKey, nodeCryptography)), sealed: new Uint8Array() };
}

async function openKey(folder: string, passphrase: string): Promise<KeyObject> {
  const pem = await readFile(path.join(folder, keyFile)).catch(() => {
    throw new TrustAnchorRefused(`${folder} has no key of a trust anchor. "registry rpki ta init" makes one.`);
  });
  try {
    return createPrivateKey({ key: pem, passphrase });
  } catch {
    throw new TrustAnchorRefused('RPKI_TA_PASSPHRASE does not open the key of the trust anchor.');
  }
}

/**
 * Signs what a request asks for: the trust anchor's certificate, the registry's, a CRL and a manifest, valid for so many days. Everything is
 * validated as by a relying party before it is returned. @throws TrustAnchorRefused
 */
export async function signTrustAnchorRequest(
  request: TrustAnchorRequest,
  { folder, passphrase, days, now }: { folder: string; passphrase: string; days: number; now: Date },
): Promise<TrustAnchorResponse> {
  const privateKey = await openKey(folder, passphrase);
  const state = z.parse(State, JSON.parse(await readFile(path.join(folder, stateFile), 'utf8')));
  const at = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const last = state.thisUpdate;
  // What is in the future by both clocks was signed with one that was wrong, and no relying party has accepted it (decision 248).
  const isOfWrongClock = last !== null && [at, new Date(request.madeAt)].every(clock => isInFuture(last, clock));
  if (last !== null && !isOfWrongClock && at.getTime() - backdatedMs <= Date.parse(last))
    throw new TrustAnchorRefused(`The clock of this machine says ${at.toISOString()}, and the last signing was at ${last} or later.`);
  if ((request.last?.number ?? 0) > state.number)
    throw new TrustAnchorRefused(
      `The registry has published manifest ${request.last!.number}, and this folder knows of ${state.number}: it is an older copy.`,
    );

  const oneTime = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 65537 });
  const [own, oneTimeKey] = [madeKeyOf(createPublicKey(privateKey)), madeKeyOf(oneTime.publicKey)];
  const signer = localSigner(
    new Map([
      [own.keyIdentifier, privateKey],
      [oneTimeKey.keyIdentifier, oneTime.privateKey],
    ]),
  );
  const places = placesIn(request);
  const trustAnchor: OwnedKey = { authority: offlineAuthority, ...own };
  const registryKey = decodePublicKey(new Uint8Array(Buffer.from(request.registry.publicKey, 'base64')));
  const registry: OwnedKey = {
    authority: { ...offlineAuthority, kind: 'registry', handle: request.registry.handle },
    publicKey: registryKey,
    keyIdentifier: printHex(keyIdOf(registryKey, nodeCryptography)),
    sealed: new Uint8Array(),
  };
  const issuerUri = certificateUri(trustAnchor, null, places);
  const drafting = { places, now: at };
  const issue = {
    number: state.number + 1,
    thisUpdate: new Date(at.getTime() - backdatedMs),
    nextUpdate: new Date(at.getTime() + days * DAY_MS),
  };
  const revoked = [...state.revoked, ...state.present.map(each => ({ ...each, revokedAt: issue.thisUpdate.toISOString() }))].filter(
    ({ notAfter }) => Date.parse(notAfter) > at.getTime(),
  );
  const certificates = await signDrafts(signer, [
    draftCertificate(trustAnchor, { issuer: null, issuerUri, resources: rootResources }, drafting),
    draftCertificate(registry, { issuer: trustAnchor, issuerUri, resources: rootResources }, drafting),
  ]);
  const [crl] = await signDrafts(signer, [
    draftCrl(
      trustAnchor,
      revoked.map(({ serial, revokedAt }) => ({
        serial,
        revokedAt: new Date(Math.min(Date.parse(revokedAt), issue.thisUpdate.getTime())),
      })),
      issue,
      places,
    ),
  ]);
  const [manifest] = await signDrafts(signer, [
    draftManifest(trustAnchor, [certificates[1]!, crl!], issue, { takeKey: () => oneTimeKey!, issuerUri }, drafting),
  ]);
  const files = [...certificates, crl!, manifest!];
  validateTrustAnchorFiles(files, own.publicKey, at);
  await keepState(folder, {
    number: issue.number,
    thisUpdate: issue.thisUpdate.toISOString(),
    present: [certificates[1]!, manifest!].map(({ serial, notAfter }) => ({ serial: serial!, notAfter: notAfter.toISOString() })),
    revoked,
  });
  return {
    kind: 'trust-anchor-response',
    signedAt: at.toISOString(),
    places,
    publicKey: Buffer.from(own.publicKey).toString('base64'),
    keyIdentifier: own.keyIdentifier,
    manifest: { number: issue.number, thisUpdate: issue.thisUpdate.toISOString(), nextUpdate: issue.nextUpdate.toISOString() },
    files: files.map(printFile),
  };
}

/** Validates the files of a trust anchor as a relying party does. Returns the registry's certificate. @throws TrustAnchorRefused, ProfileError */
export function validateTrustAnchorFiles(
  files: readonly Pick<Product, 'uri' | 'kind' | 'content' | 'sha256'>[],
  publicKey: Uint8Array,
  now: Date,
): Decoded<AuthorityCertificate> {
  const options = { now, cryptography: nodeCryptography };
  const own = files.find(({ kind }) => kind === 'trust-anchor');
  if (!own) throw new TrustAnchorRefused('The certificate of the trust anchor is missing.');
  validateTrustAnchor(own.content, publicKey, options);
  const published = new Map<string, PublishedFile>(files.map(({ uri, content, sha256 }) => [uri, { bytes: content, sha256 }]));
  const { authorities, problems } = validateAuthority(decodeCertificate(own.content) as Decoded<AuthorityCertificate>, published, options);
  if (problems.length > 0 || authorities.length !== 1)
    throw new TrustAnchorRefused(
      `Relying parties would refuse it: ${problems[0]?.problem ?? 'the certificate of the registry is missing'}.`,
    );
  return authorities[0]!;
}

function localSigner(keys: ReadonlyMap<string, KeyObject>): CaSigner {
  const refuse = (): never => {
    throw new Error('A trust anchor makes no keys while it signs.');
  };
  return {
    createKeys: refuse,
    createAuthorityKey: refuse,
    sign: all => Promise.resolve(all.map(({ keyIdentifier, toBeSigned }) => sign('sha256', toBeSigned, keys.get(keyIdentifier)!))),
    close: () => Promise.resolve(),
  };
}
