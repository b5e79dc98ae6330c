import { read, useAccount, useChange, useKit, useRead, useSession } from '@portal/app-kit';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { type EditMode, editModeOf } from './contact-edit-mode.ts';
import { listWords } from './contact-words.ts';

/** More contacts than any account has: the list is used to look up whether a person is one of them. */
const everybody = { offset: 0, limit: 500 } as const;
export const allContactsOf = (account: string) => read(contacts.listContacts, { account, query: everybody });

/** All contacts of the selected account. */
export function useAllContacts(): readonly Contact[] {
  const { accountName } = useAccount();
  return useRead(allContactsOf(accountName)).rows;
}

/** Returns how the person invites, changes and removes contacts of the selected account. */
export function useEditModes(): { invite: EditMode; change: EditMode; remove: EditMode } {
  const session = useSession();
  return {
    invite: editModeOf('inviteContact', session),
    change: editModeOf('updateContact', session),
    remove: editModeOf('removeContact', session),
  };
}

const refresh = [contacts.listContacts];

/** Resends an invitation, with a notice. */
export function useResend() {
  const { notify } = useKit();
  return useChange(contacts.resendInvitation, {
    refresh,
    onDone: contact => notify({ text: `New invitation sent to ${contact.email}. The earlier link no longer works.` }),
  });
}

/** Confirms one's own details for another year. */
export function useConfirmation() {
  const { notify } = useKit();
  return useChange(contacts.confirmOwnDetails, {
    refresh,
    onDone: () => notify({ text: 'Thank you. We’ll ask again in a year.' }),
  });
}

/** Sends a request for a change of contacts to those who can approve it; then calls `done`. */
export function useContactRequest(done: () => void) {
  const { notify } = useKit();
  return useChange(accessRequests.requestContactChange, {
    refresh: [accessRequests.listAccessRequests],
    showsErrors: true,
    onDone({ asked }) {
      const whom = `${listWords(asked)} ${asked.length === 1 ? 'was' : 'were'} asked by e-mail.`;
      notify({ text: asked.length > 0 ? whom : 'Request sent to the people who can approve it.' });
      done();
    },
  });
}
