import type { AccountDocument } from '@portal/contract/documents/documents';
import { expect, test } from 'vitest';
import { stateOf, titleFrom } from './document-words.ts';

const plain = { check: 'CLEAN', signature: 'NONE', validUntil: null } as AccountDocument;

test.each([
  [{}, undefined],
  [{ signature: 'TO_SIGN' }, 'to sign'],
  [{ signature: 'SIGNED' }, 'signed'],
  [{ signature: 'SIGNED', validUntil: '2026-11-20' }, 'no longer valid'],
  [{ validUntil: '2026-11-21' }, undefined],
  // A document that can't be opened can't be signed either.
  [{ signature: 'TO_SIGN', check: 'BEING_CHECKED' }, 'being checked'],
  [{ check: 'INFECTED' }, 'virus found, deleted'],
] as const)('a document with %j is %s', (more, words) => {
  expect(stateOf({ ...plain, ...more }, '2026-11-21')?.words).toBe(words);
});

test.each([
  ['Membership_agreement.pdf', 'Membership agreement'],
  ['定款.docx', '定款'],
  ['v1.2 final.pdf', 'v1.2 final'],
])('%s suggests the title %s', (fileName, title) => expect(titleFrom(fileName)).toBe(title));
