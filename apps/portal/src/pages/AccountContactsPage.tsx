import { later, optionalPart } from '@portal/app-kit/page/later';
import { Page, type PageReads, reading, useAccount, useAddress, useKit, useRefusal } from '@portal/app-kit';
import { contacts } from '@portal/contract/contacts/contacts';
import { Banner, Button, Sheet, Stack } from '@portal/ui';
import { usePrefetchQuery } from '@tanstack/react-query';
import { type ComponentType } from 'react';
import { ContactManagementOff } from './contacts/ContactManagementOff.tsx';
import { allContactsOf, useAllContacts, useConfirmation, useEditModes } from './contacts/contact-acts.ts';
import { ContactList, contactListOf } from './contacts/list/ContactList.tsx';

/** Below the list, where it is compared: the list is shown first. */
const PermissionMatrix = optionalPart(() => import('./contacts/list/PermissionMatrix.tsx'), 'PermissionMatrix');
/** Of one contact, and of an invitation that waits: both are opened from the list. */
const ContactPage = later(() => import('./contacts/contact/ContactPage.tsx'), 'ContactPage');
const InvitationPage = later(() => import('./contacts/invitation/InvitationPage.tsx'), 'InvitationPage');
const subPages: Readonly<Record<string, ComponentType | undefined>> = {
  safety: later(() => import('./contacts/list/SafetyPage.tsx'), 'default'),
  review: later(() => import('./contacts/list/ReviewPage.tsx'), 'default'),
  helper: later(() => import('./contacts/contact/HelperPage.tsx'), 'default'),
};

export const reads: PageReads = page => [allContactsOf(page.account), contactListOf(page)];

/** The account's contacts: the list, one contact (`?contact=`), or an invitation (`?invite=`). */
export default function AccountContactsPage() {
  const { accountName } = useAccount();
  const { call } = useKit();
  const address = useAddress();
  // Requested together: sequentially, each part would wait for the one above it.
  const everybody = allContactsOf(accountName);
  usePrefetchQuery(reading(call, everybody.endpoint, everybody.input));
  const contactId = address.get('contact');
  if (contactId) return <ContactPage key={contactId} contactId={contactId} />;
  if (address.get('invite')) return <InvitationPage />;
  const View = subPages[address.get('view') ?? ''];
  if (View) return <View />;
  return <AllContacts />;
}

function AllContacts() {
  const { invite } = useEditModes();
  return (
    <Page
      title="Account contacts"
      sub="Only these people can act for the account. The contact type sets the default permissions; you can add and remove single ones."
      actions={
        <>
          <Ways />
          <Invite />
        </>
      }
    >
      <Stack gap={16}>
        {invite.by === 'off' && <ContactManagementOff own />}
        <Confirmation />
        <Sheet flush aria-label="Contacts">
          <ContactList />
        </Sheet>
        <PermissionMatrix />
      </Stack>
    </Page>
  );
}

/** Actions on all contacts, for people who may use them. */
function Ways() {
  const { asStaff, contactTypes, permissions } = useAccount();
  const { invite } = useEditModes();
  const address = useAddress();
  if (asStaff) return null;
  const go = (view: string) => () => address.set({ view }, { step: true });
  return (
    <>
      {contactTypes.includes('corporate') && (
        <Button variant="quiet" icon="shield" onClick={go('safety')}>
          Security
        </Button>
      )}
      {permissions.includes('users-privileges-view') && (
        <Button variant="quiet" icon="check" onClick={go('review')}>
          Review
        </Button>
      )}
      {invite.by === 'doing' && permissions.includes('users-privileges-update') && (
        <Button icon="clock" onClick={go('helper')}>
          Invite a helper
        </Button>
      )}
    </>
  );
}

function Invite() {
  const { asStaff } = useAccount();
  const { invite } = useEditModes();
  const refusal = useRefusal(contacts.inviteContact);
  const address = useAddress();
  if (asStaff || invite.by === 'off') return null;
  return (
    <Button
      variant="primary"
      icon="plus"
      refusal={invite.by === 'none' ? refusal : null}
      refusalIn="note"
      onClick={() => address.set({ invite: 'yes' }, { step: true })}
    >
      {invite.by === 'asking' ? 'Ask for a contact' : 'Invite a contact'}
    </Button>
  );
}

/** Once a year each contact confirms their own details. */
function Confirmation() {
  const { accountName } = useAccount();
  const address = useAddress();
  const confirmation = useConfirmation();
  const me = useAllContacts().find(contact => contact.isMe);
  if (!me?.confirmationDue) return null;
  return (
    <Banner
      kind="warning"
      title="Are your details still correct?"
      actions={
        <>
          <Button size="s" icon="check" busy={confirmation.isPending} onClick={() => confirmation.mutate({ account: accountName })}>
            They’re correct
          </Button>
          <Button size="s" variant="quiet" onClick={() => address.set({ contact: me.contactId }, { step: true })}>
            Change details
          </Button>
        </>
      }
    >
      We ask once a year. {[me.fullName, me.email, me.phone || 'no telephone number', me.position || 'no position'].join(', ')}.{' '}
    </Banner>
  );
}
