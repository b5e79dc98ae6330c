export { isCredential, newCredential, publicOf, secretOf } from './credential.ts';
export { generator, GROUP, isElement, order } from './group.ts';
export { hexHash, jsonHash } from './hash.ts';
export { modulus } from './modulus.ts';
export { bigintPowers, type Powers } from './powers.ts';
export { type RandomBytes, systemRandom } from './random.ts';
export { Refusal, type RefusalCode } from './refusal.ts';
