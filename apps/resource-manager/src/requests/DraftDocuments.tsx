import { UploadField } from '@portal/app-kit/documents/UploadField';
import type { useUploads } from '@portal/app-kit/documents/uploads';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';

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
      <ul className="small muted">
        {documents.map(({ name, why, required }) => (
          <li key={name}>
            {name}
            {required ? '' : ' (optional)'}: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}
