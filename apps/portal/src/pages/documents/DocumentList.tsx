import { useAccount, useRefusal, useSession } from '@portal/app-kit';
import { stateOf } from '@portal/app-kit/documents/document-words';
import { fileWords, OpenButton } from '@portal/app-kit/documents/DocumentList';
import { dayIn } from '@portal/contract/days';
import { type AccountDocument, documents, documentTypes, visibilities } from '@portal/contract/documents/documents';
import { Button, DateText, EmptyState, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
    label: 'Status',
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
    label: 'Visible to',
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
    cell: ({ validUntil }) => (validUntil ? <DateText value={validUntil} shape="date" /> : ''),
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

/** The documents a person may see, with the actions on each. */
export function DocumentList({ rows }: { rows: readonly AccountDocument[] }) {
  const { accountName: account, asStaff } = useAccount();
  const { environment } = useSession();
  const [today] = useState(() => dayIn(environment.registryTimeZone, new Date()));
  const [signing, setSigning] = useState<string | null>(null);
  const acts: Column<AccountDocument> = {
    id: 'acts',
    label: 'Actions',
    fixed: true,
    card: 'wide',
    cell: row => (
      <span className={styles.acts}>
        <Opening row={row} />
        {row.signature === 'to-sign' && !asStaff && <SignButton row={row} onClick={() => setSigning(row.documentId)} />}
      </span>
    ),
  };
  const toSign = rows.find(({ documentId }) => documentId === signing);
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
            Agreements and documents from the registry, and those your contacts add, appear here.
          </EmptyState>
        }
      />
      {toSign && <SignDialog document={toSign} onClose={() => setSigning(null)} />}
    </>
  );
}

function Opening({ row: { documentId, check, title } }: { row: AccountDocument }) {
  const { accountName: account, asStaff } = useAccount();
  const answers = useQueryClient();
  const onOpened = () => void answers.invalidateQueries({ queryKey: [documents.listDocuments.id] });
  const shared = { check, name: title, onOpened };
  return asStaff ? (
    <OpenButton {...shared} opens={documents.openStaffDocument} input={{ documentId }} />
  ) : (
    <OpenButton {...shared} opens={documents.openDocument} input={{ account, documentId }} />
  );
}

function SignButton({ row, onClick }: { row: AccountDocument; onClick: () => void }) {
  const refusal = useRefusal(documents.signDocument);
  const unread = row.opened ? null : { reason: 'Open and read it first' };
  return (
    <Button
      size="s"
      variant="primary"
      icon="edit"
      refusal={refusal ?? unread}
      refusalIn={refusal ? 'note' : 'line'}
      aria-label={`Sign ${row.title}`}
      onClick={onClick}
    >
      Sign
    </Button>
  );
}
