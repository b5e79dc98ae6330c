import { hexHash } from './protocol.ts';

/** Digits of a message that people read to each other: the first 16 of its SHA-256, four at a time. */
export const fingerprintOf = async (message: string): Promise<string> => (await hexHash(message)).slice(0, 16).match(/..../g)!.join(' ');
