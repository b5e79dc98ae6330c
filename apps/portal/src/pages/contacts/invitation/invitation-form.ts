import { type ContactType, errorInWords, type ErrorItem, type Permission } from '@portal/contract';
import type { NewContact } from '@portal/contract/contacts/contacts';
import { Email } from '@portal/contract/email';
import { isCorporate, roleOf, typesInOrder } from '../contact-form.ts';

/** Somebody to be invited, as it is written down; `ticked` are the permissions that shall differ from those of the types. */
export type InvitationForm = {
  fullName: string;
  email: string;
  emailAgain: string;
  phone: string;
  position: string;
  contactTypes: readonly ContactType[];
  ticked: Readonly<Partial<Record<Permission, boolean>>>;
  reason: string;
};

export const emptyInvitation: InvitationForm = {
  fullName: '',
  email: '',
  emailAgain: '',
  phone: '',
  position: '',
  contactTypes: [],
  ticked: {},
  reason: '',
};

export type Problems<Name extends string> = Partial<Record<Name, string>>;

const phone = /^(\+?[0-9][0-9 ().-]{4,38})?$/;
/** A name and a telephone number as the registry keeps them. */
export function problemsOfDetails(form: { fullName: string; phone: string }): Problems<'fullName' | 'phone'> {
  return {
    ...(form.fullName.trim() === '' && { fullName: 'Write the full name' }),
    ...(!phone.test(form.phone.trim()) && { phone: 'Write a telephone number such as +61 7 5550 0100' }),
  };
}

export type InvitationField = 'fullName' | 'email' | 'emailAgain' | 'phone' | 'contactTypes' | 'permissions' | 'form';

/** What is wrong with an invitation, by field; empty when it can be sent. */
export function problemsOf(form: InvitationForm): Problems<InvitationField> {
  const email = Email.safeParse(form.email);
  const again = form.emailAgain.trim().toLowerCase() === form.email.trim().toLowerCase();
  return {
    ...problemsOfDetails(form),
    ...(!email.success && { email: email.error.issues[0]?.message ?? 'Enter a valid email address' }),
    ...(email.success && !again && { emailAgain: 'The two e-mail addresses are not the same' }),
    ...(form.contactTypes.length === 0 && { contactTypes: 'Choose at least one contact type' }),
  };
}

const noRole = { contactTypes: [], permissions: [] } as const;
/** The permissions the invited person starts with. */
export const permissionsOf = (form: Pick<InvitationForm, 'contactTypes' | 'ticked'>): readonly Permission[] =>
  form.contactTypes.length === 0 ? [] : roleOf(noRole, { ...form, keepsDecisions: false }).permissions;

/** The body of the call that invites; permissions only where they are not those of the types. */
export const invitationOf = (form: InvitationForm): NewContact => ({
  fullName: form.fullName.trim(),
  email: form.email.trim(),
  phone: form.phone.trim(),
  position: form.position.trim(),
  contactTypes: typesInOrder(form.contactTypes),
  ...(Object.keys(form.ticked).length > 0 && !isCorporate(form) && { permissions: [...permissionsOf(form)] }),
  reason: form.reason.trim(),
});

const fieldsOfCodes: Record<string, InvitationField> = {
  ALREADY_CONTACT: 'email',
  CORPORATE_ONLY: 'contactTypes',
  LAST_CORPORATE_CONTACT: 'contactTypes',
  REGISTRY_DECIDES: 'contactTypes',
  OWN_PERMISSIONS: 'contactTypes',
  PERMISSION_NOT_GRANTABLE: 'permissions',
  NO_PERMISSION: 'permissions',
};
const ownFields: readonly string[] = ['fullName', 'email', 'phone', 'contactTypes', 'permissions'];

/** Where the refusals of the registry belong: at the field whose answer was refused, otherwise over the form. */
export function refusedFields(errors: readonly ErrorItem[]): Problems<InvitationField> {
  const found: Problems<InvitationField> = {};
  for (const error of errors) {
    const name = error.field?.split('.', 1)[0] ?? '';
    const field = ownFields.includes(name) ? (name as InvitationField) : fieldsOfCodes[error.code];
    found[field ?? 'form'] ??= field ? error.message : errorInWords(error);
  }
  return found;
}
