import type { AccountDocument } from '@portal/contract/documents/documents';
import { expect, test } from 'vitest';
import { stateOf, titleFrom } from './document-words.ts';

const plain = { check: 'clean', signature: 'none', validUntil: null } as AccountDocument;

test.each([
  [{}, undefined],
  [{ signature: 'to-sign' }, 'to sign'],
  [{ signature: 'signed' }, 'signed'],
  [{ signature: 'signed', validUntil: '2026-11-20' }, 'no longer valid'],
  [{ validUntil: '2026-11-21' }, undefined],
  // A document that can't be opened can't be signed either.
  [{ signature: 'to-sign', check: 'being-checked' }, 'being checked'],
  [{ check: 'infected' }, 'virus found, deleted'],
] as const)('a document with %j is %s', (more, words) => {
  expect(stateOf({ ...plain, ...more }, '2026-11-21')?.words).toBe(words);
});

test.each([
  ['Membership_agreement.pdf', 'Membership agreement'],
  ['定款.docx', '定款'],
  ['v1.2 final.pdf', 'v1.2 final'],
])('%s suggests the title %s', (fileName, title) => expect(titleFrom(fileName)).toBe(title));
