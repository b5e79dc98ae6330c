import { later } from '@portal/app-kit/page/later';
import { changedSearch, Page, useAccount, useAddress, usePlace } from '@portal/app-kit';
import type { Contact } from '@portal/contract/contacts/contacts';
import { Badge, Breadcrumb, EmptyState, LinkButton, Sheet } from '@portal/ui';
import { Suspense } from 'react';
import { useAllContacts, useEditModes } from '../contact-acts.ts';
import type { End } from './ContactEnd.tsx';
import { ContactActs } from './ContactActs.tsx';
import { ContactEditor } from '../editor/ContactEditor.tsx';
import { ContactMarks } from '../ContactMarks.tsx';
import styles from '../Contact.module.css';
import { whyDetailsLocked } from '../contact-edit-mode.ts';

const ContactEnd = later(() => import('./ContactEnd.tsx'), 'ContactEnd');
const HandOverPage = later(() => import('./HandOverPage.tsx'), 'default');
const HelperEnd = later(() => import('./HelperEnd.tsx'), 'HelperEnd');
const ContactEmail = later(() => import('./ContactEmail.tsx'), 'ContactEmail');
const ends: readonly End[] = ['remove', 'withdraw', 'leave', 'ask'];

/** One contact of the account: details, permissions, and controls to change them, if allowed. */
export function ContactPage({ contactId }: { contactId: string }) {
  const { path, search } = usePlace();
  const back = path + changedSearch(search, { contact: null, act: null });
  const contact = useAllContacts().find(each => each.contactId === contactId);
  const act = useAddress().get('act');
  const { contactTypes } = useAccount();
  const breadcrumb = (name: string) => <Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: name }]} />;
  if (!contact)
    return (
      <Page title="Account contacts" breadcrumb={breadcrumb('Contact')}>
        <Sheet>
          <EmptyState title="Contact not found" action={<LinkButton href={back}>See all contacts</LinkButton>}>
            This contact was removed or belongs to another account.
          </EmptyState>
        </Sheet>
      </Page>
    );
  if (act === 'leaver' && !contact.isMe && contactTypes.includes('corporate')) return <HandOverPage contact={contact} />;
  return (
    <Page
      title={contact.fullName}
      heading={
        <>
          {contact.fullName} {contact.isMe && <Badge kind="line">you</Badge>}
        </>
      }
      sub={
        <span className={styles.sub}>
          {contact.email} <ContactMarks contact={contact} />
        </span>
      }
      breadcrumb={breadcrumb(contact.fullName)}
      actions={<ContactActs contact={contact} />}
    >
      <ContactEditor contact={contact} />
      <Ending contact={contact} />
      <Dialogs contact={contact} />
    </Page>
  );
}

/** The dialog for another address or another last day, while the page's address asks for it. */
function Dialogs({ contact }: { contact: Contact }) {
  const address = useAddress();
  const { contactTypes } = useAccount();
  const { change } = useEditModes();
  const may = contact.isMe || (change.by === 'doing' && whyDetailsLocked(contact, { contactTypes }) === null);
  const act = address.get('act');
  if (act === 'helper-end' && change.by === 'doing' && contact.helperUntil)
    return (
      <Suspense>
        <HelperEnd contact={contact} until={contact.helperUntil} onClose={() => address.set({ act: null })} />
      </Suspense>
    );
  if (act !== 'email' || !may || contact.status !== 'active') return null;
  return (
    <Suspense>
      <ContactEmail contact={contact} onClose={() => address.set({ act: null })} />
    </Suspense>
  );
}

/** The confirmation dialog, while it is in the address. */
function Ending({ contact }: { contact: Contact }) {
  const address = useAddress();
  const ways = useEditModes();
  const end = ends.find(each => each === address.get('act'));
  const isOpen = end === 'leave' ? contact.isMe : end === 'ask' ? ways.remove.by === 'asking' : ways.remove.by === 'doing' && !contact.isMe;
  if (!end || !isOpen) return null;
  return (
    <Suspense>
      <ContactEnd contact={contact} end={end} onClose={() => address.set({ act: null })} />
    </Suspense>
  );
}
