import { useAccount, useAddress } from '@portal/app-kit';
import type { Contact } from '@portal/contract/contacts/contacts';
import { Button } from '@portal/ui';
import { useResend, useEditModes } from '../contact-acts.ts';
import type { End } from './ContactEnd.tsx';
import { whyNotRemovable } from '../contact-edit-mode.ts';

/** Acts on the contact as a whole. */
export function ContactActs({ contact }: { contact: Contact }) {
  const { accountName, contactTypes, asStaff } = useAccount();
  const { remove } = useEditModes();
  const resend = useResend();
  const address = useAddress();
  const begin = (act: End | 'email' | 'leaver' | 'helper-end') => address.set({ act });
  if (asStaff) return null;
  if (contact.isMe)
    return (
      <>
        <Button icon="mail" onClick={() => begin('email')}>
          Change e-mail
        </Button>
        <Button onClick={() => begin('leave')}>Leave {accountName}</Button>
      </>
    );
  if (remove.by === 'asking') return <Button onClick={() => begin('ask')}>Ask to remove</Button>;
  if (remove.by !== 'doing') return null;
  const reason = whyNotRemovable(contact, { contactTypes });
  const refusal = reason ? { reason } : null;
  const helperEnd = contact.helperUntil && (
    <Button icon="clock" onClick={() => begin('helper-end')}>
      Until when
    </Button>
  );
  if (contact.status !== 'invited')
    return (
      <>
        {contact.status === 'active' && (
          <Button icon="mail" refusal={refusal} refusalIn="note" onClick={() => begin('email')}>
            Change e-mail
          </Button>
        )}
        {helperEnd}
        {contact.status === 'active' && contactTypes.includes('corporate') && (
          <Button icon="arrow-right" refusal={refusal} refusalIn="note" onClick={() => begin('leaver')}>
            Replace with another person
          </Button>
        )}
        <Button icon="trash" refusal={refusal} refusalIn="note" onClick={() => begin('remove')}>
          {contact.status === 'pending-registry' ? 'Withdraw the request' : 'Remove'}
        </Button>
      </>
    );
  return (
    <>
      {helperEnd}
      <Button
        icon="mail"
        refusal={refusal}
        refusalIn="note"
        busy={resend.isPending}
        onClick={() => resend.mutate({ account: accountName, contactId: contact.contactId, body: { version: contact.version } })}
      >
        Resend invitation
      </Button>
      <Button icon="trash" refusal={refusal} refusalIn="note" onClick={() => begin('withdraw')}>
        Withdraw
      </Button>
    </>
  );
}
