import { printHex } from './bytes.ts';
import { deriveBytes } from './credential.ts';
import { hexHash } from './hash.ts';

/**
 * The key of a voting right, which a voter sends beside a ballot: 64 hexadecimal digits, derived from the private credential as its secret exponent is, with another salt.
 * It opens nothing else. Not of the specification (docs/decisions/0227-credentials-trustees-archive.md).
 */
export const rightKeyOf = async (credential: string, uuid: string): Promise<string> =>
  printHex(await deriveBytes(credential, `${uuid}|right`));

/**
 * The right of an account to vote with a credential, as a server keeps it: 64 hexadecimal digits that tell neither. Only the voter's key leads from an account to its
 * credential.
 */
export const votingRightOf = (rightKey: string, account: string, credential: bigint): Promise<string> =>
  hexHash(`right|${rightKey}|${account}|${credential}`);
