import { Page, type PageReads, read, useAccount, useAddress, useRead, useRefusal } from '@portal/app-kit';
import { documents, documentTypes } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import { Button, Select, Sheet, Stack } from '@portal/ui';
import { AddDocument } from './AddDocument.tsx';
import { CertificatePart } from './CertificatePart.tsx';
import { DocumentList } from './DocumentList.tsx';
import styles from './DocumentsPage.module.css';

const documentsOf = (account: string) => read(documents.listDocuments, { account });
export const reads: PageReads = ({ account }) => [documentsOf(account)];

/** Documents between member and registry: to read, sign and add, and a certificate of membership. */
export default function DocumentsPage() {
  const { accountName } = useAccount();
  return (
    <Page title={pages.documents.title} sub="Agreements, certificates and other documents. Each time a document is opened is logged.">
      <Documents key={accountName} />
    </Page>
  );
}

function Documents() {
  const { accountName: account, asStaff } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(documents.addDocument);
  const { rows } = useRead(documentsOf(account));
  const types = (Object.keys(documentTypes) as (keyof typeof documentTypes)[]).filter(type => rows.some(row => row.type === type));
  const type = types.find(each => each === address.get('type')) ?? null;
  const adding = address.get('add') === 'document' && refusal === null;
  const shown = rows.filter(row => type === null || row.type === type);
  return (
    <Stack gap={16}>
      {!asStaff && <CertificatePart />}
      {adding && <AddDocument onClose={() => address.set({ add: null })} />}
      <Sheet
        title="Documents"
        meta={rows.length > 0 && <span>{rows.length}</span>}
        flush
        actions={
          !adding &&
          !asStaff && (
            <Button size="s" icon="upload" refusal={refusal} refusalIn="note" onClick={() => address.set({ add: 'document' })}>
              Add a document
            </Button>
          )
        }
      >
        {types.length > 1 && (
          <div className={styles.filter}>
            <Select
              aria-label="Type"
              value={type ?? ''}
              options={[{ value: '', label: 'All types' }, ...types.map(each => ({ value: each, label: documentTypes[each] }))]}
              onChange={event => address.set({ type: event.target.value || null })}
            />
          </div>
        )}
        <DocumentList rows={shown} />
      </Sheet>
    </Stack>
  );
}
