import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { keyIdOf, printHex } from '@portal/rpki-objects';
import { nodeCryptography, sealedKeyName } from '../modules/rpki/authorities/cryptography.ts';
import type { MadeKey, ToSign } from '../modules/rpki/authorities/signer.ts';
import { giveWay } from '../platform/give-way.ts';
import { openSecretBox, type Secrets } from '../platform/secret-box.ts';
import type { SignerResponse, SignerRequest } from './software-signer.ts';

const box = openSecretBox(workerData as Secrets);
/** Keys of authorities sign again and again, and the first signature of an open key costs more than twice as much as the others; one-time keys are not kept. */
const opened = new Map<string, KeyObject>();
const MAX_OPEN = 4_000;

let isLowered = false;

/** Making keys takes a hundred times as long as signing: the thread that does it gives way to everything else, where the system can tell threads apart. */
function lowerPriority(): void {
  if (isLowered || process.platform !== 'linux') return;
  isLowered = true;
  giveWay(os.constants.priority.PRIORITY_BELOW_NORMAL);
}

function createKey(): MadeKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicExponent: 65537,
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const keyIdentifier = printHex(keyIdOf(publicKey, nodeCryptography));
  return { publicKey, keyIdentifier, sealed: box.seal(sealedKeyName(keyIdentifier), privateKey) };
}

function signatureOf({ keyIdentifier, sealed, toBeSigned, isOnce }: ToSign): Uint8Array {
  let key = opened.get(keyIdentifier);
  if (!key) {
    key = createPrivateKey({ key: Buffer.from(box.open(sealedKeyName(keyIdentifier), sealed)), format: 'der', type: 'pkcs8' });
    if (!isOnce) {
      if (opened.size >= MAX_OPEN) opened.delete(opened.keys().next().value!);
      opened.set(keyIdentifier, key);
    }
  }
  return sign('sha256', toBeSigned, key);
}

parentPort!.on('message', (request: SignerRequest) => {
  const response: SignerResponse = { id: request.id };
  try {
    if ('create' in request) lowerPriority();
    if ('create' in request) response.created = Array.from({ length: request.create }, createKey);
    else response.signatures = request.sign.map(signatureOf);
  } catch (error) {
    response.error = (error as Error).message;
  }
  parentPort!.postMessage(response);
});
