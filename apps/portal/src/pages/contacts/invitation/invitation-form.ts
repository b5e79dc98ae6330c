import type { ContactType, Permission } from '@portal/contract';
import type { NewContact } from '@portal/contract/contacts/contacts';
import { isCorporate, roleOf, typesInOrder } from '../contact-form.ts';

/** Form values of an invitation; `ticked` are the permissions that differ from those of the types. */
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

const noRole = { contactTypes: [], permissions: [] } as const;
/** The permissions the invited person starts with. */
export const permissionsOf = (form: Pick<InvitationForm, 'contactTypes' | 'ticked'>): readonly Permission[] =>
  form.contactTypes.length === 0 ? [] : roleOf(noRole, { ...form, keepsDecisions: false }).permissions;

/** The body of the call that invites; permissions only where they are not those of the types. */
export const invitationOf = ({ fullName, email, phone, position, reason, ...form }: InvitationForm): NewContact => ({
  fullName,
  email,
  phone,
  position,
  contactTypes: typesInOrder(form.contactTypes),
  ...(Object.keys(form.ticked).length > 0 && !isCorporate(form) && { permissions: [...permissionsOf(form)] }),
  reason,
});

/** The two addresses have to be equivalent. */
export const problemsOfInvitation = ({ email, emailAgain }: InvitationForm): { emailAgain?: string } =>
  emailAgain.trim().toLowerCase() === email.trim().toLowerCase() ? {} : { emailAgain: 'The two e-mail addresses don’t match' };
