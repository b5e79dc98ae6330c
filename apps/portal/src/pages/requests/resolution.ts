import type { Problems } from '@portal/app-kit/form/use-form';
import { type ContactType, defaultPermissions, type Permission } from '@portal/contract';
import type { AccessRequest, Resolution } from '@portal/contract/contacts/access-requests';
import { isCorporate, typesInOrder } from '../contacts/contact-form.ts';

/** The approver's decision: the contact types, and the permissions removed from the offered ones. */
export type ResolutionForm = { contactTypes: readonly ContactType[]; left: readonly Permission[]; note: string };

export const resolutionForm = (request: AccessRequest): ResolutionForm => ({ contactTypes: request.contactTypes, left: [], note: '' });

/** The permissions an approval can give: those asked for, or those the contact types start with. */
export const offered = (request: AccessRequest, { contactTypes }: Pick<ResolutionForm, 'contactTypes'>): readonly Permission[] =>
  request.kind === 'permission' ? request.permissions : contactTypes.length > 0 ? defaultPermissions(contactTypes) : [];

/** The permissions an approval grants, without those removed and those this approver can't grant. */
export const granted = (
  request: AccessRequest,
  form: ResolutionForm,
  whyNot: (permission: Permission) => string | null,
): readonly Permission[] => offered(request, form).filter(key => isCorporate(form) || (!form.left.includes(key) && whyNot(key) === null));

/** The fields of a resolution; permissions of an approval can be deselected. */
export type ResolutionField = keyof ResolutionForm | 'permissions';

/** Returns what prevents an approval, by field; empty if nothing does. */
export function approvalProblem(
  request: AccessRequest,
  form: ResolutionForm,
  whyNot: (permission: Permission) => string | null,
): Problems<ResolutionField> {
  if (request.kind === 'remove-contact') return {};
  if (request.kind !== 'permission' && form.contactTypes.length === 0) return { contactTypes: 'Choose at least one contact type' };
  return granted(request, form, whyNot).length === 0 ? { permissions: 'Choose at least one permission, or reject the request' } : {};
}

/** The body of the call that approves; types and permissions only if needed. */
export function approvalOf(request: AccessRequest, form: ResolutionForm, whyNot: (permission: Permission) => string | null): Resolution {
  const gives = granted(request, form, whyNot);
  const fewer = gives.length < offered(request, form).length;
  const choosesTypes = request.kind !== 'permission' && request.kind !== 'remove-contact';
  return {
    requestId: request.requestId,
    decision: 'approved',
    ...(choosesTypes && { contactTypes: typesInOrder(form.contactTypes) }),
    ...(request.kind !== 'remove-contact' && fewer && { permissions: [...gives] }),
    note: form.note,
  };
}

/** Returns whether an approval only asks the registry, which decides on corporate contacts. */
export function goesToRegistry(request: AccessRequest, form: Pick<ResolutionForm, 'contactTypes'>): boolean {
  const was = request.subject ? isCorporate(request.subject) : false;
  if (request.kind === 'remove-contact') return was;
  return request.kind !== 'permission' && isCorporate(form) !== was;
}
