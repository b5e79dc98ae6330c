import * as z from 'zod/mini';
import { contact, endpoint, group } from './endpoint.ts';
import { contactTypes, type Permission, permissionKeys } from './permissions.ts';

const PermissionKey = z.enum(permissionKeys as [Permission, ...Permission[]]);

/** Who holds a permission in an account and who can grant it. */
export const PermissionHolders = z.object({
  permission: PermissionKey,
  label: z.string(),
  holders: z.array(z.object({ name: z.string(), contactTypes: z.array(z.enum(contactTypes)) })),
  granters: z.array(z.object({ name: z.string() })),
  /** When the caller last asked for it, if within the last 24 hours. */
  askedAt: z.nullable(z.iso.datetime()),
});
export type PermissionHolders = z.infer<typeof PermissionHolders>;

export const PermissionRequest = z.object({
  permission: PermissionKey,
  /** Path of the page where the person was refused. */
  page: z.string().check(z.maxLength(300)),
  message: z.string().check(z.maxLength(1000)),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const contacts = group('contacts', {
  whoHoldsPermission: endpoint({
    method: 'GET',
    path: '/api/:account/permission-holders',
    summary: 'Who in the account holds a permission, and who can grant it.',
    access: contact,
    query: z.object({ permission: PermissionKey }),
    answer: PermissionHolders,
  }),
  askForPermission: endpoint({
    method: 'POST',
    path: '/api/:account/permission-requests',
    summary: 'Ask the contacts who can grant a permission for it; they get an e-mail.',
    access: contact,
    body: PermissionRequest,
    answer: z.object({ askedAt: z.iso.datetime(), asked: z.array(z.string()) }),
    errors: ['ALREADY_ASKED'],
    activity: 'Asked for a permission',
  }),
});
