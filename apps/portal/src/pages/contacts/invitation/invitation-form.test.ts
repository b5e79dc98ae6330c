import { defaultPermissions } from '@portal/contract';
import { contacts } from '@portal/contract/contacts/contacts';
import { expect, it, test } from 'vitest';
import { emptyInvitation, type InvitationForm, invitationOf, permissionsOf, problemsOfInvitation } from './invitation-form.ts';

const mina = {
  ...emptyInvitation,
  fullName: ' Mina Park ',
  email: 'mina@example-au.example',
  emailAgain: 'MINA@example-au.example ',
  contactTypes: ['technical'] as const,
};

/** Returns the form's problems by field: the contract's rules, and that of the two addresses. */
const problemsOf = (form: InvitationForm) => ({
  ...problemsOfInvitation(form),
  ...Object.fromEntries(
    (contacts.inviteContact.body!.safeParse(invitationOf(form)).error?.issues ?? []).map(({ path: [field], message }) => [field, message]),
  ),
});

test.each([
  [{}, {}],
  [{ fullName: ' ' }, { fullName: 'Enter the full name' }],
  [{ email: 'mina@example', emailAgain: 'mina@example' }, { email: 'Enter a valid email address' }],
  [{ email: 'mína@example.net', emailAgain: 'MÍNA@example.net' }, { email: 'It must be a valid email in English' }],
  [{ emailAgain: 'nina@example-au.example' }, { emailAgain: 'The two e-mail addresses don’t match' }],
  [{ phone: 'seven' }, { phone: 'Enter a telephone number, such as +61 7 5550 0100' }],
  [{ contactTypes: [] }, { contactTypes: 'Choose at least one contact type' }],
])('%j', (change, problems) => {
  expect(problemsOf({ ...mina, ...change })).toEqual(problems);
});

it('permissions are sent only if they differ from those of the contact types', () => {
  expect(permissionsOf(mina)).toEqual(defaultPermissions(['technical']));
  expect(contacts.inviteContact.body!.safeParse(invitationOf(mina)).data).toEqual({
    fullName: 'Mina Park',
    email: 'mina@example-au.example',
    phone: '',
    position: '',
    contactTypes: ['technical'],
    reason: '',
  });
  expect(invitationOf({ ...mina, ticked: { 'roas-update': false } }).permissions).not.toContain('roas-update');
  expect(invitationOf({ ...mina, contactTypes: ['corporate'], ticked: { 'roas-update': false } })).not.toHaveProperty('permissions');
});
