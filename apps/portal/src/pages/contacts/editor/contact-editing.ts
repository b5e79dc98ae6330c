import { type Draft, useAccount, useDraft } from '@portal/app-kit';
import type { Form } from '@portal/app-kit/form/use-form';
import type { Contact } from '@portal/contract/contacts/contacts';
import { useEditModes } from '../contact-acts.ts';
import { type ContactForm, formOf, isTouched } from '../contact-form.ts';
import { whyDetailsLocked, whyRoleLocked } from '../contact-edit-mode.ts';

/** The part of a contact that this person can change: the details, contact types and permissions, or the types by asking for it. */
export type Open = { details: boolean; role: 'changing' | 'asking' | 'reading' };

/** Returns what the person of this session can change of a contact. */
export function useOpen(contact: Contact): Open {
  const { contactTypes, permissions } = useAccount();
  const { change } = useEditModes();
  if (contact.isMe) return { details: true, role: 'reading' };
  if (change.by === 'asking') return { details: false, role: 'asking' };
  if (change.by !== 'doing') return { details: false, role: 'reading' };
  return {
    details: permissions.includes('contacts-details-update') && whyDetailsLocked(contact, { contactTypes }) === null,
    role: permissions.includes('users-privileges-update') && whyRoleLocked(contact, { contactTypes }) === null ? 'changing' : 'reading',
  };
}

/** The unsaved input, and the contact as it was when editing began. */
export type Unsaved = { before: Contact; form: ContactForm };

/** The state of a contact's form, kept while its page is not shown. */
export function useUnsaved(contact: Contact): Unsaved & { draft: Draft<Unsaved | null> } {
  const { accountName } = useAccount();
  const draft = useDraft<Unsaved | null>(`contact:${accountName}:${contact.contactId}`, null);
  const kept = draft.value && isTouched(draft.value.before, draft.value.form) ? draft.value : { before: contact, form: formOf(contact) };
  return { ...kept, draft };
}

/** Props of a part of the form. */
export type Editing = { form: Form<ContactForm, Extract<keyof ContactForm, string> | 'permissions'>; open: Open };
