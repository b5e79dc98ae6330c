import { useAccount, useRefusal, useSession } from '@portal/app-kit';
import { fileWords } from '@portal/app-kit/PaperList';
import { useOpenFile } from '@portal/app-kit/open-file';
import { type AccountDocument, documents, documentTypes, visibilities } from '@portal/contract/documents';
import { Button, DateText, EmptyState, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/DataTable';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DeleteDialog } from './DeleteDialog.tsx';
import { stateOf } from './document-words.ts';
import styles from './DocumentsPage.module.css';
import { SignDialog } from './SignDialog.tsx';

const columns = (today: string): Column<AccountDocument>[] => [
  {
    id: 'title',
    label: 'Document',
    fixed: true,
    wrap: true,
    card: 'key',
    cell: row => (
      <span className={styles.title}>
        <bdi>{row.title}</bdi>
        <span className="quiet small">
          {fileWords(row)}
          {row.reference !== null && `, sent for ${row.reference}`}
        </span>
      </span>
    ),
    text: ({ title }) => title,
  },
  { id: 'type', label: 'Type', fixed: true, cell: ({ type }) => documentTypes[type], text: ({ type }) => documentTypes[type] },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: row => {
      const state = stateOf(row, today);
      return state && <StateMark state={state.state}>{state.words}</StateMark>;
    },
    text: row => stateOf(row, today)?.words ?? '',
  },
  {
    id: 'visibility',
    label: 'Seen by',
    fixed: true,
    wrap: true,
    card: 'wide',
    cell: ({ visibility }) => visibilities[visibility],
    text: ({ visibility }) => visibilities[visibility],
  },
  {
    id: 'validUntil',
    label: 'Valid until',
    fixed: true,
    cell: ({ validUntil }) => (validUntil ? <DateText value={`${validUntil}T00:00:00Z`} shape="date" format={dateOnly} /> : ''),
    text: ({ validUntil }) => validUntil ?? '',
  },
  {
    id: 'sent',
    label: 'Sent',
    fixed: true,
    wrap: true,
    card: 'wide',
    cell: ({ uploadedBy, uploadedAt, signedBy, signedAt }) => (
      <span className={styles.title}>
        <span>
          <DateText value={uploadedAt} shape="date" /> by <bdi>{uploadedBy}</bdi>
        </span>
        {signedAt !== null && (
          <span className="quiet small">
            Signed <DateText value={signedAt} shape="date" /> by <bdi>{signedBy}</bdi>
          </span>
        )}
      </span>
    ),
    text: ({ uploadedBy, uploadedAt }) => `${uploadedAt} ${uploadedBy}`,
  },
];

/** A day is no instant: it is the same everywhere. */
const dateOnly = { timeZone: 'UTC', hourCycle: 'h23' } as const;

/** The documents a person may see, with what can be done about each. */
export function DocumentList({ rows }: { rows: readonly AccountDocument[] }) {
  const { accountName: account, asStaff } = useAccount();
  const { environment } = useSession();
  const [today] = useState(() => new Intl.DateTimeFormat('en-CA', { timeZone: environment.registryTimeZone }).format(new Date()));
  const [signing, setSigning] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const acts: Column<AccountDocument> = {
    id: 'acts',
    label: 'What to do',
    fixed: true,
    card: 'wide',
    cell: row => (
      <span className={styles.acts}>
        <OpenButton row={row} />
        {row.signature === 'TO_SIGN' && !asStaff && <SignButton row={row} onClick={() => setSigning(row.documentId)} />}
        {asStaff && <DeleteButton row={row} onClick={() => setDeleting(row.documentId)} />}
      </span>
    ),
  };
  const toSign = rows.find(({ documentId }) => documentId === signing);
  const toDelete = rows.find(({ documentId }) => documentId === deleting);
  return (
    <>
      <DataTable
        caption={`Documents of ${account}, those to sign first, then the newest`}
        columns={[...columns(today), acts]}
        rows={rows}
        rowId={({ documentId }) => documentId}
        state={emptyTableState}
        onStateChange={() => {}}
        total={rows.length}
        pageSize={Math.max(1, rows.length)}
        empty={
          <EmptyState title="No documents yet" picture={false}>
            Agreements and papers of the registry stand here, and those the account’s contacts add.
          </EmptyState>
        }
      />
      {toSign && <SignDialog document={toSign} onClose={() => setSigning(null)} />}
      {toDelete && <DeleteDialog document={toDelete} onClose={() => setDeleting(null)} />}
    </>
  );
}

function OpenButton({ row }: { row: AccountDocument }) {
  const { accountName: account, asStaff } = useAccount();
  const answers = useQueryClient();
  const own = useOpenFile(documents.openDocument);
  const staff = useOpenFile(documents.openStaffDocument);
  const { documentId, check, title } = row;
  const why =
    check === 'BEING_CHECKED'
      ? { reason: 'It is being checked for viruses. Try again in a minute' }
      : check === 'INFECTED'
        ? { reason: 'A virus was found in it, and it was deleted' }
        : null;
  const open = async () => {
    await (asStaff ? staff.open({ documentId }) : own.open({ account, documentId }));
    await answers.invalidateQueries({ queryKey: [documents.listDocuments.id] });
  };
  return (
    <Button
      size="s"
      icon="download"
      busy={own.opening || staff.opening}
      refusal={why}
      refusalIn="note"
      aria-label={`Open ${title}`}
      onClick={() => void open()}
    >
      Open
    </Button>
  );
}

function SignButton({ row, onClick }: { row: AccountDocument; onClick: () => void }) {
  const refusal = useRefusal(documents.signDocument);
  const unread = row.opened ? null : { reason: 'Open it and read it first' };
  return (
    <Button
      size="s"
      variant="primary"
      icon="edit"
      refusal={refusal ?? unread}
      refusalIn="note"
      aria-label={`Sign ${row.title}`}
      onClick={onClick}
    >
      Sign
    </Button>
  );
}

function DeleteButton({ row, onClick }: { row: AccountDocument; onClick: () => void }) {
  const refusal = useRefusal(documents.deleteDocument);
  const signed = row.signature === 'SIGNED' ? { reason: 'It was signed, and what was signed stays' } : null;
  return (
    <Button size="s" icon="trash" refusal={refusal ?? signed} refusalIn="note" aria-label={`Delete ${row.title}`} onClick={onClick}>
      Delete
    </Button>
  );
}
