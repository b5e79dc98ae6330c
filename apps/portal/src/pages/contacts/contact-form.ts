import {
  type ContactType,
  contactTypes as allContactTypes,
  defaultPermissions,
  type Permission,
  permissionDiff,
  permissionKeys,
} from '@portal/contract';
import type { Contact, ContactChange } from '@portal/contract/contacts/contacts';

/** The field for a refusal about a role that names none. */
export const fieldOfCode = {
  CORPORATE_ONLY: 'contactTypes',
  LAST_CORPORATE_CONTACT: 'contactTypes',
  REGISTRY_DECIDES: 'contactTypes',
  OWN_PERMISSIONS: 'contactTypes',
  PERMISSION_NOT_GRANTABLE: 'permissions',
  NO_PERMISSION: 'permissions',
} as const;

/** Contact types and permissions. */
export type Role = { contactTypes: readonly ContactType[]; permissions: readonly Permission[] };

/** The edited contact: details and types as requested, and the permissions ticked and unticked by hand. */
export type ContactForm = {
  fullName: string;
  phone: string;
  position: string;
  contactTypes: readonly ContactType[];
  /** Other contact types start with their default permissions; with this, manual decisions are kept. */
  keepsDecisions: boolean;
  ticked: Readonly<Partial<Record<Permission, boolean>>>;
  maintainers: readonly string[];
  /** For the registry, where it decides, and for those who are asked. */
  reason: string;
};

const sameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every(item => b.includes(item));
export const isCorporate = ({ contactTypes }: { contactTypes: readonly ContactType[] }): boolean => contactTypes.includes('corporate');
export const typesInOrder = (types: readonly ContactType[]): ContactType[] => allContactTypes.filter(type => types.includes(type));

/** Returns the permissions that differ from the defaults of the contact types: manual decisions, one per permission. */
export const decisionsOf = ({ contactTypes, permissions }: Role): { granted: Permission[]; withdrawn: Permission[] } =>
  permissionDiff(defaultPermissions(contactTypes), permissions);

/** A role with other contact types: their default permissions, and, if kept, the previous manual decisions. Corporate contacts hold all. */
export function withTypes(role: Role, contactTypes: readonly ContactType[], { keepsDecisions }: { keepsDecisions: boolean }): Role {
  const defaults = defaultPermissions(contactTypes);
  if (!keepsDecisions || isCorporate({ contactTypes })) return { contactTypes, permissions: defaults };
  const { granted, withdrawn } = decisionsOf(role);
  return {
    contactTypes,
    permissions: permissionKeys.filter(key => (defaults.includes(key) || granted.includes(key)) && !withdrawn.includes(key)),
  };
}

export const formOf = (contact: Contact): ContactForm => ({
  fullName: contact.fullName,
  phone: contact.phone,
  position: contact.position,
  contactTypes: contact.contactTypes,
  keepsDecisions: true,
  ticked: {},
  maintainers: contact.maintainers ?? [],
  reason: '',
});

/** The part of a form that makes the role. */
export type RoleForm = Pick<ContactForm, 'contactTypes' | 'keepsDecisions' | 'ticked'>;

/** The role that results from a form. */
export function roleOf(before: Role, { contactTypes, keepsDecisions, ticked }: RoleForm): Role {
  const role = sameSet(contactTypes, before.contactTypes) ? before : withTypes(before, contactTypes, { keepsDecisions });
  if (isCorporate({ contactTypes })) return role;
  return { contactTypes, permissions: permissionKeys.filter(key => ticked[key] ?? role.permissions.includes(key)) };
}

/** `ticked` after another click; a click that restores the original state is removed. */
export function tick(before: Role, form: RoleForm, permission: Permission, on: boolean): ContactForm['ticked'] {
  const { [permission]: _, ...others } = form.ticked;
  const untouched = roleOf(before, { ...form, ticked: others }).permissions.includes(permission);
  return untouched === on ? others : { ...others, [permission]: on };
}

/** The changes that saving would make, in the order of the screen: details, types, permissions, maintainers. */
export type ContactDiff = {
  details: { label: string; before: string; after: string }[];
  contactTypes: { before: readonly ContactType[]; after: readonly ContactType[] } | null;
  granted: Permission[];
  withdrawn: Permission[];
  maintainers: { granted: string[]; withdrawn: string[] };
  /** Number of changes. */
  count: number;
};

const detailLabels = { fullName: 'Name', phone: 'Telephone', position: 'Position' } as const;
const details = Object.keys(detailLabels) as (keyof typeof detailLabels)[];
const without = (list: readonly string[], others: readonly string[]): string[] => list.filter(item => !others.includes(item));

/** The editable part of a contact. */
type Outcome = Pick<Contact, (typeof details)[number] | 'permissions' | 'maintainers'> & { contactTypes: readonly ContactType[] };

/** Returns the contact that results from the form. */
const outcomeOf = (contact: Contact, form: ContactForm): Outcome => ({
  fullName: form.fullName.trim(),
  phone: form.phone.trim(),
  position: form.position.trim(),
  contactTypes: typesInOrder(form.contactTypes),
  permissions: contact.permissions && [
    ...roleOf({ contactTypes: contact.contactTypes, permissions: contact.permissions }, form).permissions,
  ],
  maintainers: [...form.maintainers],
});

/** Returns the difference between two states of a contact. Permissions hidden from the viewer do not differ. */
export function diffBetween(before: Outcome, after: Outcome): ContactDiff {
  const changed = details
    .filter(name => after[name] !== before[name])
    .map(name => ({ label: detailLabels[name], before: before[name], after: after[name] }));
  const types = sameSet(after.contactTypes, before.contactTypes) ? null : { before: before.contactTypes, after: after.contactTypes };
  const { granted, withdrawn } = permissionDiff(before.permissions ?? [], after.permissions ?? []);
  const held = before.maintainers ?? [];
  const kept = after.maintainers ?? [];
  const maintainers = { granted: without(kept, held), withdrawn: without(held, kept) };
  return {
    details: changed,
    contactTypes: types,
    granted,
    withdrawn,
    maintainers,
    count: changed.length + (types ? 1 : 0) + granted.length + withdrawn.length + maintainers.granted.length + maintainers.withdrawn.length,
  };
}

/** Returns the changes that saving the form would make. */
export const diffOf = (contact: Contact, form: ContactForm): ContactDiff => diffBetween(contact, outcomeOf(contact, form));

/** Returns whether the form was edited. */
export const isTouched = (contact: Contact, form: ContactForm): boolean => JSON.stringify(form) !== JSON.stringify(formOf(contact));

/** The body of the call that saves the form: what differs, nothing else. */
export function changeOf(contact: Contact, form: ContactForm): ContactChange {
  const diff = diffOf(contact, form);
  const touchesPermissions = diff.contactTypes !== null || diff.granted.length + diff.withdrawn.length > 0;
  const given = <K extends keyof typeof detailLabels>(name: K) =>
    form[name].trim() === contact[name] ? {} : { [name]: form[name].trim() };
  return {
    version: contact.version,
    ...given('fullName'),
    ...given('phone'),
    ...given('position'),
    ...(diff.contactTypes && { contactTypes: typesInOrder(form.contactTypes) }),
    ...(contact.permissions &&
      touchesPermissions &&
      !isCorporate(form) && {
        permissions: [...roleOf({ contactTypes: contact.contactTypes, permissions: contact.permissions }, form).permissions],
      }),
    ...(diff.maintainers.granted.length + diff.maintainers.withdrawn.length > 0 && { maintainers: [...form.maintainers] }),
    reason: form.reason.trim(),
  };
}

/** Applies the edits made to `before` to the contact as others have saved it. */
export function rebased(form: ContactForm, before: Contact, now: Contact): ContactForm {
  const fresh = formOf(now);
  const mine = formOf(before);
  const { maintainers } = diffOf(before, form);
  return {
    ...fresh,
    ...Object.fromEntries(details.filter(name => form[name] !== mine[name]).map(name => [name, form[name]])),
    contactTypes: sameSet(form.contactTypes, before.contactTypes) ? now.contactTypes : form.contactTypes,
    keepsDecisions: form.keepsDecisions,
    ticked: form.ticked,
    maintainers: [...without(fresh.maintainers, maintainers.withdrawn), ...without(maintainers.granted, fresh.maintainers)].sort(),
    reason: form.reason,
  };
}

/** Returns whether the registry must approve: a contact becomes corporate, or an active one stops being corporate. */
export const registryDecides = (
  contact: Pick<Contact, 'contactTypes' | 'status'>,
  { contactTypes }: Pick<ContactForm, 'contactTypes'>,
): boolean => isCorporate(contact) !== isCorporate({ contactTypes }) && (isCorporate({ contactTypes }) || contact.status !== 'invited');
