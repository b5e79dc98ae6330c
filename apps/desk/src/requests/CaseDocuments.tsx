import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import { type Attachment, documents } from '@portal/contract/documents/documents';
import { fileKinds, fileSize } from '@portal/contract/file-kinds';
import { DateText, formatCount, Sheet } from '@portal/ui';
import styles from './CaseDocuments.module.css';

/** Short names of kinds whose label doesn’t fit on a sheet of paper. */
const tiles: Partial<Record<Attachment['kind'], string>> = { xlsx: 'XLSX', docx: 'DOCX', pcap: 'PCAP', txt: 'TXT' };
const checkWords: Record<Attachment['check'], string> = {
  clean: 'no virus found',
  'not-checked': 'not scanned',
  'being-checked': 'being scanned',
  infected: 'contained a virus',
};

/** The documents that were sent with a case: type, name, size, and who added each and when. Nothing without any. */
export function CaseDocuments({ papers }: { papers: readonly Attachment[] }) {
  if (papers.length === 0) return null;
  return (
    <Sheet flush title="Documents" meta={<span>{formatCount(papers.length)}</span>}>
      <ul className={styles.papers} aria-label="Documents">
        {papers.map(({ documentId, fileName, kind, bytes, check, uploadedAt, uploadedBy }) => (
          <li key={documentId}>
            <span className={styles.tile} aria-hidden="true">
              {tiles[kind] ?? fileKinds[kind].label}
            </span>
            <span className={styles.facts}>
              <b>
                <bdi>{fileName}</bdi>
              </b>
              <span>
                {fileKinds[kind].label}, {fileSize(bytes)}, {checkWords[check]}
              </span>
              <span>
                {uploadedBy}, <DateText value={uploadedAt} />
              </span>
            </span>
            <div className={styles.open}>
              <OpenButton check={check} name={fileName} opens={documents.openStaffDocument} input={{ documentId }} />
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
