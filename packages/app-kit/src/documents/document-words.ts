import type { AccountDocument } from '@portal/contract/documents/documents';
import type { State } from '@portal/ui';

/** Returns the open or completed action on a document; null if there is none. */
export function stateOf({ check, signature, validUntil }: AccountDocument, today: string): { state: State; words: string } | null {
  if (check === 'infected') return { state: 'invalid', words: 'virus found, deleted' };
  if (check === 'being-checked') return { state: 'pending', words: 'being checked' };
  if (signature === 'to-sign') return { state: 'warning', words: 'to sign' };
  if (validUntil !== null && validUntil < today) return { state: 'closed', words: 'no longer valid' };
  return signature === 'signed' ? { state: 'valid', words: 'signed' } : null;
}

/** A title for a file, from its name: without the ending, lines as spaces. */
export const titleFrom = (fileName: string): string =>
  fileName
    .replace(/\.[a-z0-9]+$/i, '')
    .replaceAll('_', ' ')
    .trim();
