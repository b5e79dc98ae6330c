import { UploadField } from '@portal/app-kit/documents/UploadField';
import type { useUploads } from '@portal/app-kit/documents/uploads';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { Icon } from '@portal/ui';
import styles from './Requests.module.css';

/** The documents of a draft: what shows the answers, and the files. Nothing for a case without documents. */
export function DraftDocuments({
  documents,
  uploads,
  error,
  id = 'request-documents',
  label = 'Documents',
}: {
  documents: ResourceRequestDetail['documents'];
  uploads: ReturnType<typeof useUploads>;
  error: string | undefined;
  id?: string;
  label?: string;
}) {
  if (documents.length === 0) return null;
  return (
    <div>
      <UploadField id={id} label={label} uploads={uploads} error={error} optional={!documents.some(({ required }) => required)} />
      <ul className={styles.papers}>
        {documents.map(({ name, why, required }) => (
          <li key={name}>
            <Icon name="document" />
            <span>
              <span className="strong">{name}</span>
              {!required && <span className="quiet"> optional</span>}
              <span className={styles.why}>{why}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
