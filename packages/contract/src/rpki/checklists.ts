import * as z from 'zod/mini';
import { endpoint, group, member, signedIn, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';

/** Files one checklist may list. */
export const maxChecklistFiles = 100;
/** Days a checklist may be valid. */
export const maxChecklistDays = 365;
/** Bytes of a signed checklist, in base64, that are read to verify one. */
export const largestChecklist = 100_000;

/**
 * `signing`: signed within seconds. `valid`: validators accept it. `expired`: past its end date. `revoked`: by a contact.
 * `not-held`: its resources are not certified for the account at the moment. `key-gone`: the key that signed it was rolled over, so it has to be signed again.
 */
export const checklistStates = ['signing', 'valid', 'expired', 'revoked', 'not-held', 'key-gone'] as const;

const ListedFile = z.object({
  /** Null for a file that is listed by its content alone. */
  name: z.nullable(z.string()),
  /** SHA-256, hexadecimal. */
  sha256: z.string(),
});
export type ListedFile = z.infer<typeof ListedFile>;

export const Checklist = z.object({
  checklistId: z.string(),
  state: z.enum(checklistStates),
  resources: z.array(z.string()),
  files: z.array(ListedFile),
  comment: z.string(),
  createdAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  revokedAt: z.nullable(z.iso.datetime()),
});
export type Checklist = z.infer<typeof Checklist>;

const view = member('rescert-view', { staff: true });
const change = member('rescert-update');

export const rpkiChecklists = group('rpki.checklists', {
  listChecklists: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/checklists',
    publicApi: { path: '/rpki/checklists', scope: 'routes:read' },
    summary: 'The signed checklists of the account, the last first.',
    access: view,
    answer: z.object({ rows: z.array(Checklist) }),
  }),
  signChecklist: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/checklists',
    summary: 'Sign a checklist: the holder of the resources vouches for files by their hashes. The publisher signs it within seconds.',
    access: change,
    effect: 'routing',
    largestBody: largeBody,
    body: z.object({
      /** Prefixes, ranges and AS numbers that are certified for the account. */
      resources: z.array(oneLine(100, 1)).check(z.minLength(1, { error: 'Choose at least one resource' }), z.maxLength(200)),
      files: z
        .array(
          z.object({
            name: z.nullable(
              z
                .string()
                .check(z.regex(/^[A-Za-z0-9._-]{1,255}$/, { error: 'A file name has letters, digits, dots, hyphens and underscores' })),
            ),
            sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'Enter the SHA-256 of the file: 64 hexadecimal digits' })),
          }),
        )
        .check(z.minLength(1, { error: 'Add at least one file' }), z.maxLength(maxChecklistFiles, { error: 'Add at most 100 files' })),
      days: z.int().check(z.minimum(1, { error: 'Enter 1 to 365 days' }), z.maximum(maxChecklistDays, { error: 'Enter 1 to 365 days' })),
      comment: z._default(oneLine(200), ''),
    }),
    answer: Checklist,
    errors: ['INVALID_REQUEST', 'RPKI_NOT_ENABLED', 'ACCOUNT_SUSPENDED'],
    flag: 'checklists',
    activity: 'Signed a checklist',
  }),
  getChecklist: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/checklists/:checklistId',
    publicApi: { path: '/rpki/checklists/:checklistId', scope: 'routes:read' },
    summary: 'A signed checklist with its object in base64, to save as a file and hand on.',
    access: view,
    answer: z.extend(Checklist, { /** Null until it is signed. */ object: z.nullable(z.string()) }),
    errors: ['NOT_FOUND'],
  }),
  revokeChecklist: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/checklists/:checklistId/revocation',
    summary: 'Take a signed checklist back: validators refuse it from the next publication on.',
    access: change,
    effect: 'routing',
    answer: Checklist,
    errors: ['NOT_FOUND', 'NOTHING_TO_DO', 'RPKI_NOT_ENABLED'],
    activity: 'Revoked a signed checklist',
  }),
  verifyChecklist: endpoint({
    method: 'POST',
    path: '/api/rpki/checklist-verification',
    summary: 'Verify a signed checklist of this registry as a relying party does: whether it is valid, for which resources and files.',
    access: signedIn,
    effect: 'reading',
    largestBody: largeBody,
    body: z.object({ /** The object, in base64. */ object: z.string().check(z.minLength(1), z.maxLength(largestChecklist)) }),
    answer: z.object({
      /** Why a relying party refuses it; null where it is valid. */
      problem: z.nullable(z.string()),
      resources: z.array(z.string()),
      files: z.array(ListedFile),
      /** Null where it could not be read. */
      validFrom: z.nullable(z.iso.datetime()),
      validUntil: z.nullable(z.iso.datetime()),
    }),
    activity: 'Verified a signed checklist',
  }),
});
