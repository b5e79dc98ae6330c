import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import { useFileContent } from '@portal/app-kit/documents/open-file';
import { isPicture, pictureAddress, type PictureKind } from '@portal/app-kit/documents/picture';
import { type Attachment, documents } from '@portal/contract/documents/documents';
import { fileKinds, fileSize } from '@portal/contract/file-kinds';
import { Button, DateText, formatCount, Sheet } from '@portal/ui';
import { useState } from 'react';
import styles from './CaseDocuments.module.css';

/** Short names of kinds whose label doesn’t fit on a sheet of paper. */
const tiles: Partial<Record<Attachment['kind'], string>> = { xlsx: 'XLSX', docx: 'DOCX', pcap: 'PCAP', txt: 'TXT' };
const checkWords: Record<Attachment['check'], string> = {
  clean: 'no virus found',
  'not-checked': 'not scanned',
  'being-checked': 'being scanned',
  infected: 'contained a virus',
};

/** A document that is an image, on the page. It is fetched when someone asks for it: each opening is kept, so that none is counted that no one meant. */
function Picture({ documentId, kind, fileName }: { documentId: string; kind: PictureKind; fileName: string }) {
  const [picture, setPicture] = useState<string | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const { opening, open } = useFileContent(documents.openStaffDocument);
  const show = async () => {
    const content = await open({ documentId });
    const address = content && (await pictureAddress(kind, content));
    setPicture(address);
    setTooLarge(content !== null && address === null);
  };
  return (
    <>
      <Button
        size="s"
        busy={opening}
        aria-expanded={picture !== null}
        aria-label={`${picture ? 'Hide' : 'Show'} ${fileName}`}
        refusal={isTooLarge ? { reason: 'The picture has too many pixels to be shown here. Open it instead' } : null}
        refusalIn="note"
        onClick={() => (picture ? setPicture(null) : void show())}
      >
        {picture ? 'Hide' : 'Show'}
      </Button>
      {picture && <img src={picture} alt={fileName} className={styles.picture} />}
    </>
  );
}

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
              {isPicture(kind) && (check === 'clean' || check === 'not-checked') && (
                <Picture documentId={documentId} kind={kind} fileName={fileName} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
