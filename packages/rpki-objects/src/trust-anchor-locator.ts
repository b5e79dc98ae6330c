import { parseBase64, printBase64 } from './bytes.ts';
import { ProfileError } from './profile-error.ts';
import { decodePublicKey } from './signed.ts';

/** Where a trust anchor's certificate is, and its key: what relying parties are configured with (RFC 8630). */
export type TrustAnchorLocator = { comments: readonly string[]; uris: readonly string[]; publicKey: Uint8Array };

/** As a file. Addresses by https come first: relying parties use them in order. @throws {RangeError} */
export function printTal({ comments, uris, publicKey }: TrustAnchorLocator): string {
  const problem = talProblem(uris);
  if (problem !== null) throw new RangeError(problem);
  const key = printBase64(publicKey).replaceAll(/.{64}(?!$)/g, '$&\n');
  return [...comments.map(comment => `# ${comment}`), ...uris, '', key, ''].join('\n');
}

function talProblem(uris: readonly string[]): string | null {
  if (uris.length === 0) return 'A trust anchor locator needs an address';
  if (!uris.every(uri => /^(?:https|rsync):\/\/[!-~]+\.cer$/.test(uri)))
    return 'The addresses of a trust anchor are https or rsync and end in .cer';
  if (new Set(uris.map(uri => uri.split('/').at(-1))).size > 1) return 'The addresses of a trust anchor end in the same file name';
  return null;
}

/** Reads a TAL file. @throws {ProfileError} */
export function parseTal(file: string): TrustAnchorLocator {
  const lines = file.split(/\r?\n/);
  const first = lines.findIndex(line => !line.startsWith('#'));
  const comments = lines.slice(0, Math.max(0, first)).map(line => line.slice(1).trim());
  const gap = lines.indexOf('', first);
  if (first < 0 || gap < 0) throw new ProfileError('The trust anchor locator has no empty line before its key');
  const uris = lines.slice(first, gap);
  const problem = talProblem(uris);
  if (problem !== null) throw new ProfileError(problem);
  let publicKey: Uint8Array;
  try {
    publicKey = parseBase64(lines.slice(gap).join(''));
  } catch {
    throw new ProfileError('The key of the trust anchor locator is not base64');
  }
  return { comments, uris, publicKey: decodePublicKey(publicKey) };
}
