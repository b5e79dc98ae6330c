import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';
import { order } from './protocol.ts';

/**
 * The private keys of the registry's part of the key of an election: they follow from SECRET_KEY and the identifier of the election, the present one first, then that of
 * SECRET_KEY_OLD. Neither a database nor a backup has them.
 */
export const registryKeys = (secrets: Secrets, uuid: string): bigint[] =>
  derivedKeys(secrets, `election key ${uuid}`).map(bytes => BigInt(`0x${bytes.toString('hex')}`) % order);
