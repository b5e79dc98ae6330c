import { reading, useKit } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type AccountSheet, desk } from '@portal/contract/staff/desk';
import { tickets } from '@portal/contract/tickets/tickets';
import { Button, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useDeskKeys } from './cases/desk-keys.ts';
import { Key } from './cases/Key.tsx';
import { useMay } from './use-may.ts';

const WriteToAccount = later(() => import('./WriteToAccount.tsx'), 'WriteToAccount');
const WriteForm = later(() => import('./WriteToAccount.tsx'), 'WriteForm');

type Sheet = Pick<AccountSheet, 'contacts'> & { account: Pick<AccountSheet['account'], 'accountName' | 'accountStatus'> };
const activeOf = ({ contacts }: Sheet) => contacts.filter(({ status }) => status === 'active');

function whyNotWritten(sheet: Sheet): string | null {
  if (sheet.account.accountStatus === 'closed') return 'The account is closed, so its people could not answer.';
  return activeOf(sheet).length === 0 ? 'The account has no active contact to write to.' : null;
}

/** The same message on the page of the account, or why no one can be written to. */
export function WriteInPlace({ sheet }: { sheet: Sheet }) {
  const reason = whyNotWritten(sheet);
  if (reason !== null) return <p className="quiet">{reason}</p>;
  return (
    <Suspense fallback={<SkeletonLines lines={6} label="Loading the form" />}>
      <WriteForm accountName={sheet.account.accountName} contacts={activeOf(sheet)} onClose={null} />
    </Suspense>
  );
}

/** Writes to contacts of an account: a ticket that waits for their answer. */
export function WriteButton({ sheet }: { sheet: Sheet }) {
  const [isOpen, setOpen] = useState(false);
  const reason = whyNotWritten(sheet);
  useDeskKeys({ c: reason === null ? () => setOpen(true) : null });
  return (
    <>
      <Button icon="mail" refusal={reason === null ? null : { reason }} aria-keyshortcuts="c" onClick={() => setOpen(true)}>
        Write <Key name="c" />
      </Button>
      {isOpen && (
        <Suspense>
          <WriteToAccount accountName={sheet.account.accountName} contacts={activeOf(sheet)} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/**
 * The same from a case whose kind has no messages of its own: the people of the account are read when it is opened, and the case stays on the screen.
 * @param about the subject that it begins with
 */
export function WriteAboutCase({ accountName, about }: { accountName: string; about: string }) {
  const may = useMay();
  const { call } = useKit();
  const [isOpen, setOpen] = useState(false);
  const canWrite = may(tickets.openStaffTicket) && may(desk.getAccountSheet);
  const { data } = useQuery({ ...reading(call, desk.getAccountSheet, { accountName }), enabled: canWrite && isOpen });
  const reason = isOpen && data ? whyNotWritten(data) : null;
  useDeskKeys({ c: canWrite ? () => setOpen(true) : null });
  if (!canWrite) return null;
  return (
    <div>
      <Button
        size="s"
        icon="mail"
        busy={isOpen && !data}
        refusal={reason ? { reason } : null}
        aria-keyshortcuts="c"
        onClick={() => setOpen(true)}
      >
        Write to {accountName} <Key name="c" />
      </Button>
      {isOpen && data && reason === null && (
        <Suspense>
          <WriteToAccount accountName={accountName} contacts={activeOf(data)} about={about} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
