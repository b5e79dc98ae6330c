import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { casePermissions, type StaffPermission } from '../staff-permissions.ts';
import { severalLines } from '../several-lines.ts';
import { deskKindNames, deskKindPermissions, deskKinds } from './desk.ts';
import { rowVersion } from '../whole-numbers.ts';

/** Kinds of answers that a text can be for: every kind of request in the queue, and tickets. */
export const replyKinds = { ...deskKinds, tickets: 'Tickets' } as const;
export type ReplyKind = keyof typeof replyKinds;
export const replyKindNames = [...deskKindNames, 'tickets'] as const;

/** Who answers such: the texts for a kind are read and kept by those. */
export const replyKindPermissions: Readonly<Record<ReplyKind, StaffPermission>> = { ...deskKindPermissions, tickets: 'support' };

/** Words in braces that are replaced where a text is inserted. */
export const placeholders = {
  account: 'the account’s name',
  request: 'the reference of the request or ticket',
  contact: 'the name of who wrote or asked',
} as const;
export type Placeholder = keyof typeof placeholders;
export const placeholderNames = ['account', 'request', 'contact'] as const;

/** Everything in braces in a text. */
const inBraces = /\{([^{}\n]*)\}/g;
const isPlaceholder = (name: string): name is Placeholder => (placeholderNames as readonly string[]).includes(name);

/** Returns words in braces that are not placeholders, as written. */
export const unknownPlaceholders = (text: string): string[] =>
  [...text.matchAll(inBraces)].flatMap(([written, name]) => (isPlaceholder(name!) ? [] : [written]));

/** Replaces the placeholders of a text. One without a value stays as written and is reported, so that a person replaces it. */
export function fillTemplate(
  text: string,
  known: Readonly<Record<Placeholder, string | null>>,
): { text: string; missing: readonly Placeholder[] } {
  const missing = new Set<Placeholder>();
  const filled = text.replace(inBraces, (written, name: string) => {
    if (!isPlaceholder(name)) return written;
    const value = known[name];
    if (value === null || value === '') missing.add(name);
    return value || written;
  });
  return { text: filled, missing: [...missing] };
}

/** A text that registry staff keep for their answers. */
export const ReplyTemplate = z.object({
  templateId: z.string(),
  title: z.string(),
  text: z.string(),
  kinds: z.array(z.enum(replyKindNames)),
  version: rowVersion,
  savedBy: z.string(),
  savedAt: z.iso.datetime(),
});
export type ReplyTemplate = z.infer<typeof ReplyTemplate>;

const values = {
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'Enter a title, such as Proof of need' }),
      z.maxLength(80, { error: 'At most 80 characters' }),
      z.regex(/^[^\n\r]*$/, { error: 'Enter the title in one line' }),
    ),
  text: severalLines(4000, 1).check(
    z.refine(text => unknownPlaceholders(text).length === 0, {
      error: `In braces, use only ${placeholderNames
        .slice(0, -1)
        .map(name => `{${name}}`)
        .join(', ')} or {${placeholderNames.at(-1)}}`,
    }),
  ),
  kinds: z
    .array(z.enum(replyKindNames))
    .check(z.minLength(1, { error: 'Choose what it is for' }), z.maxLength(replyKindNames.length, { error: 'Name each only once' })),
};
const answer = z.object({ templates: z.array(ReplyTemplate) });

export const replyTemplates = group('staff.replyTemplates', {
  listReplyTemplates: endpoint({
    method: 'GET',
    path: '/api/staff/reply-templates',
    summary: 'The texts that registry staff keep for their answers, by title: those for a kind that the caller answers.',
    access: staff(['support', ...casePermissions]),
    answer,
  }),
  addReplyTemplate: endpoint({
    method: 'POST',
    path: '/api/staff/reply-templates',
    summary: 'Keep a text for answers. In it {account}, {request} and {contact} are replaced where it is inserted.',
    access: staff(['support', ...casePermissions]),
    effect: 'records',
    body: z.object(values),
    answer,
    errors: ['TEMPLATE_TITLE_TAKEN', 'TOO_MANY_TEMPLATES'],
    activity: 'Added a reply template',
  }),
  changeReplyTemplate: endpoint({
    method: 'PUT',
    path: '/api/staff/reply-templates/:templateId',
    summary: 'Change a text for answers. What was sent with it stays as it was sent.',
    access: staff(['support', ...casePermissions]),
    effect: 'records',
    body: z.object({ ...values, version: rowVersion }),
    answer,
    errors: ['NOT_FOUND', 'STALE', 'TEMPLATE_TITLE_TAKEN'],
    activity: 'Changed a reply template',
  }),
  deleteReplyTemplate: endpoint({
    method: 'DELETE',
    path: '/api/staff/reply-templates/:templateId',
    summary: 'Delete a text for answers.',
    access: staff(['support', ...casePermissions]),
    effect: 'records',
    answer,
    errors: ['NOT_FOUND'],
    activity: 'Deleted a reply template',
  }),
});
