import { defaultPermissions } from '@portal/contract';
import { expect, it, test } from 'vitest';
import { emptyInvitation, invitationOf, permissionsOf, problemsOf, refusedFields } from './invitation-form.ts';

const mina = {
  ...emptyInvitation,
  fullName: ' Mina Park ',
  email: 'mina@example-au.example',
  emailAgain: 'MINA@example-au.example ',
  contactTypes: ['technical'] as const,
};

test.each([
  [{}, {}],
  [{ fullName: ' ' }, { fullName: 'Write the full name' }],
  [{ email: 'mina@example' }, { email: 'Enter a valid email address' }],
  [{ email: 'mína@example.net' }, { email: 'It must be a valid email in English' }],
  [{ emailAgain: 'nina@example-au.example' }, { emailAgain: 'The two e-mail addresses are not the same' }],
  [{ phone: 'seven' }, { phone: 'Write a telephone number such as +61 7 5550 0100' }],
  [{ contactTypes: [] }, { contactTypes: 'Choose at least one contact type' }],
])('%j', (change, problems) => {
  expect(problemsOf({ ...mina, ...change })).toEqual(problems);
});

it('permissions are sent only where they are not those of the contact types', () => {
  expect(permissionsOf(mina)).toEqual(defaultPermissions(['technical']));
  expect(invitationOf(mina)).toEqual({
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

it('a refusal stands at the field it is about', () => {
  const error = (code: string, message: string, field?: string) => ({ code, message, traceId: 'f00d', ...(field && { field }) });
  expect(refusedFields([error('ALREADY_CONTACT', 'mina is a contact already')])).toEqual({ email: 'mina is a contact already' });
  expect(refusedFields([error('LAST_CORPORATE_CONTACT', 'At least one corporate contact is required')])).toEqual({
    contactTypes: 'At least one corporate contact is required',
  });
  expect(refusedFields([error('INVALID_REQUEST', 'Write a telephone number', 'phone')])).toEqual({ phone: 'Write a telephone number' });
  expect(refusedFields([error('INVALID_REQUEST', 'Name each once', 'permissions.2')])).toEqual({ permissions: 'Name each once' });
  expect(refusedFields([error('INVALID_REQUEST', 'expected int', 'version')])).toEqual({ form: 'version: expected int' });
  expect(refusedFields([error('UNEXPECTED_ERROR', 'Something else')])).toEqual({ form: 'Something else' });
});
