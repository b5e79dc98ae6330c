import { show } from '@portal/app-kit/testing';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import type { WhoisNames } from '@portal/contract/requests/requests';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { WhoisNameFields } from './WhoisNameFields.tsx';
import { whoisNameRows } from './whois-name-words.ts';

const whois: WhoisNames = {
  defaults: {
    netname: 'NORTHNET-AU',
    adminContact: 'NN1-EX',
    techContact: 'NN1-EX',
    maintainer: 'MAINT-AU-NORTHNET',
    abuseMailbox: 'abuse@northnet.example',
  },
  contacts: ['NN1-EX', 'AB2-EX'],
  maintainers: ['MAINT-AU-NORTHNET', 'MAINT-AU-EDGE'],
};
const none: WhoisNames = {
  defaults: { netname: 'NORTHNET-AU', adminContact: '', techContact: '', maintainer: '', abuseMailbox: '' },
  contacts: [],
  maintainers: [],
};

function Form({
  given,
  errors = {},
  onForm,
}: {
  given: WhoisNames;
  errors?: Record<string, string>;
  onForm?: (form: RequestForm) => void;
}) {
  const [form, setForm] = useState(emptyForm);
  return (
    <WhoisNameFields
      whois={given}
      form={form}
      asNumbers={false}
      errors={errors}
      onChange={part => {
        const next = { ...form, ...part };
        setForm(next);
        onForm?.(next);
      }}
    />
  );
}
const valueOf = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;

it('is filled in with what the account has, and sends nothing while unchanged', async () => {
  let form = emptyForm;
  show(<Form given={whois} onForm={next => (form = next)} />);
  expect(['Netname', 'Admin contact', 'Technical contact', 'Maintainer', 'Abuse mailbox'].map(valueOf)).toEqual([
    'NORTHNET-AU',
    'NN1-EX',
    'NN1-EX',
    'MAINT-AU-NORTHNET',
    'abuse@northnet.example',
  ]);
  const netname = screen.getByLabelText('Netname');
  await userEvent.type(netname, '-EDGE');
  await userEvent.selectOptions(screen.getByLabelText('Technical contact'), 'AB2-EX');
  expect(form).toEqual({ ...emptyForm, netname: 'NORTHNET-AU-EDGE', techContact: 'AB2-EX' });
  expect(whoisNameRows(whois, form, false).map(({ value }) => value)).toEqual([
    'NORTHNET-AU-EDGE',
    'NN1-EX',
    'AB2-EX',
    'MAINT-AU-NORTHNET',
    'abuse@northnet.example',
  ]);
  await userEvent.clear(netname);
  await userEvent.selectOptions(screen.getByLabelText('Technical contact'), 'NN1-EX');
  expect(form).toEqual(emptyForm);
});

it('shows what is missing if the account has nothing in whois, and an error at its field', () => {
  show(<Form given={none} errors={{ abuseMailbox: 'Enter an e-mail address, such as abuse@northnet.example' }} />);
  expect(screen.getByText(/so the registry’s is named/)).toBeTruthy();
  expect(screen.getByText(/has no maintainer\./)).toBeTruthy();
  const mailbox = screen.getByLabelText('Abuse mailbox');
  expect(mailbox.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Enter an e-mail address, such as abuse@northnet.example')).toBeTruthy();
  expect(whoisNameRows(none, emptyForm, true)).toContainEqual({ key: 'Abuse mailbox', value: 'None' });
});
