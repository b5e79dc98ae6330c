import { useAnswer, useKit, useRefusal } from '@portal/app-kit';
import { fileWords, OpenButton } from '@portal/app-kit/documents/DocumentList';
import { stateOf } from '@portal/app-kit/documents/document-words';
import { dayIn } from '@portal/contract/days';
import { type AccountDocument, documents, documentTypes, visibilities } from '@portal/contract/documents/documents';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { Button, DateText, EmptyState, Sheet, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './AccountPage.module.css';
import { DeleteDocument } from './DeleteDocument.tsx';
import { SendDocument } from './SendDocument.tsx';

/** Documents shown before all are asked for. */
const SHOWN_FIRST = 3;

/** The documents of an account: open, add, delete. These actions of the registry need no visit. */
export function AccountDocuments({ sheet: { account, own } }: { sheet: AccountSheet }) {
  const { accountName } = account;
  const { rows } = useAnswer(documents.listStaffDocuments, { accountName });
  const { environment } = useKit();
  const [today] = useState(() => dayIn(environment.registryTimeZone, new Date()));
  const refusal = useRefusal(documents.addStaffDocument);
  const [isAll, setAll] = useState(false);
  const [sending, setSending] = useState(false);
  const [deleting, setDeleting] = useState<AccountDocument | null>(null);
  const why = own
    ? { reason: 'You’re a contact of this account. A colleague has to do this.' }
    : account.accountStatus === 'closed'
      ? { reason: 'The account is closed.' }
      : null;
  return (
    <>
      <Sheet
        id="documents"
        title="Documents"
        meta={rows.length > 0 && <span>{rows.length}</span>}
        actions={
          !sending && (
            <Button size="s" icon="upload" refusal={refusal ?? why} refusalIn="note" onClick={() => setSending(true)}>
              Send a document
            </Button>
          )
        }
      >
        {sending && <SendDocument accountName={accountName} onClose={() => setSending(false)} />}
        {rows.length === 0 ? (
          <EmptyState title="No documents yet" picture={false} />
        ) : (
          <ul className={styles.lines} aria-label={`Documents of ${accountName}`}>
            {(isAll ? rows : rows.slice(0, SHOWN_FIRST)).map(row => (
              <Line key={row.documentId} row={row} today={today} own={own} onDelete={() => setDeleting(row)} />
            ))}
          </ul>
        )}
        {rows.length > SHOWN_FIRST && (
          <Button size="s" variant="quiet" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Show the latest' : `Show all ${rows.length} documents`}
          </Button>
        )}
      </Sheet>
      {deleting && <DeleteDocument document={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function Line({ row, today, own, onDelete }: { row: AccountDocument; today: string; own: boolean; onDelete: () => void }) {
  const refusal = useRefusal(documents.deleteDocument);
  const state = stateOf(row, today);
  const why = own
    ? { reason: 'You’re a contact of this account. A colleague has to do this.' }
    : row.signature === 'signed'
      ? { reason: 'Signed documents can’t be deleted.' }
      : null;
  return (
    <li>
      <span className={styles.document}>
        <span>
          <bdi>{row.title}</bdi> {state && <StateMark state={state.state}>{state.words}</StateMark>}
        </span>
        <span className="quiet small">
          {documentTypes[row.type]}, {fileWords(row)}. Seen by {visibilities[row.visibility].toLowerCase()}. Sent{' '}
          <DateText value={row.uploadedAt} shape="date" /> by <bdi>{row.uploadedBy}</bdi>
          {row.reference !== null && ` for ${row.reference}`}
          {row.signedAt !== null && (
            <>
              , signed <DateText value={row.signedAt} shape="date" /> by <bdi>{row.signedBy}</bdi>
            </>
          )}
          .
        </span>
      </span>
      <span className={styles.acts}>
        <OpenButton check={row.check} name={row.title} opens={documents.openStaffDocument} input={{ documentId: row.documentId }} />
        <Button size="s" icon="trash" refusal={refusal ?? why} refusalIn="note" aria-label={`Delete ${row.title}`} onClick={onDelete}>
          Delete
        </Button>
      </span>
    </li>
  );
}
